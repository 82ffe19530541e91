/*
 * version_copy.c - enter a copy into the index, and lead callers to it
 */
#include "native_code/version_copy.h"

#include "code/jitinfo.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "patcher/publish.h"
#include "patcher/version_desc.h"
#include "patcher/version_record.h"
#include "process/barrier.h"

/* [code] Is it in the host's memory, and without call sites? */
static bool is_bare(const struct cof_version *v)
{
	return !v->code.block.exec && v->links.n_sites == 0;
}

/* [code] Is it the first one of the method's life (cof_method_unload()), and is
 * there no later one? */
static bool is_first(const struct cof_method *method,
		     const struct cof_version *v)
{
	return v->number == method->code.host_number &&
	       v->number + 1 == method->code.next_number;
}

/*
 * [code] Why there can be no copy; 0: there can. Without a barrier a processor
 * may still go from the stub to the former entry, whose jump would send it
 * round and round.
 */
static int refusal(const struct cof_method *method, const struct cof_version *v)
{
	if (cof_codemem_range(method->cof->codemem)->closed || !v ||
	    !is_bare(v) || !is_first(method, v) || method->code.copy)
		return -COF_E_STATE;
	return cof_barrier_works(method->cof) ? 0 : -COF_E_PERM;
}

/* [code] Its record has the same number, or the index would show another
 * version. */
static int enter(struct cof_version *copy, struct cof_version *first)
{
	struct cof_method *method = first->method;
	int err;

	copy->code.copy_of = first;
	copy->number = first->number;
	copy->retired.never = true;
	copy->state = COF_VERSION_PARKED;
	err = cof_jitinfo_add(method->cof->index, copy);
	if (err)
		return err;
	method->code.copy = copy;
	first->retired.never = true;
	first->code.entry = copy->code.entry;
	atomic_store_explicit(&first->code.led, true, memory_order_relaxed);
	cof_publish(first);
	return 0;
}

int cof_version_copy(struct cof_method *method,
		     const struct cof_version_desc *desc)
{
	struct cof_version *copy, *v;
	struct cof *cof;
	int err;

	if (!method)
		return -COF_E_INVAL;
	cof = method->cof;
	copy = cof_version_desc_make(method, desc, &err);
	if (!copy)
		return err;
	if (copy->code.block.exec || copy->links.n_sites > 0)
		err = -COF_E_INVAL;
	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_own(cof->codemem);
	v = atomic_load_explicit(&method->current, memory_order_relaxed);
	if (!err)
		err = refusal(method, v);
	if (!err)
		err = enter(copy, v);
	pthread_mutex_unlock(&cof->code_lock);
	if (err) {
		cof_version_desc_forget(copy);
		return err;
	}
	cof_count_add_shared(&cof->flow->memory.versions, 1);
	return cof_barrier(cof) ? 0 : -COF_E_PERM;
}

void cof_version_copy_free(struct cof_method *method)
{
	struct cof *cof = method->cof;

	if (!method->code.copy)
		return;
	cof_version_record_discard(cof, method->code.copy);
	cof_version_record_free(cof, method->code.copy);
	method->code.copy = NULL;
}
