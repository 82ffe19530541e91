/*
 * copy.c - enter a copy, and lead callers to it
 */
#include "patcher/copy.h"

#include "instance.h"
#include "jitinfo.h"
#include "mem.h"
#include "patcher/patcher.h"
#include "patcher/publish.h"
#include "patcher/reclaim.h"
#include "patcher/record.h"

/* [code] */
static bool can_be_copied(const struct cof_method *method,
			  const struct cof_version *v)
{
	return v && v->number == 0 && method->next_number == 1 &&
	       !v->block.exec && v->n_sites == 0 && !method->copy;
}

/* [code] In the index its own record would be another version of the method. */
static int enter(struct cof_method *method, struct cof_version *first,
		 const struct cof_version_desc *desc)
{
	struct cof *cof = method->cof;
	struct cof_version *copy = cof_alloc(sizeof(*copy));
	int err;

	if (!copy)
		return -COF_E_NOMEM;
	copy->start = (uintptr_t)desc->start;
	copy->end = copy->start + desc->size_bytes;
	copy->entry = desc->entry ? (uintptr_t)desc->entry : copy->start;
	copy->method = method;
	copy->same = first;
	copy->stays = true;
	copy->state = COF_VERSION_PARKED;
	err = cof_jitinfo_add(cof->index, copy);
	if (err) {
		cof_free_mem(copy);
		return err;
	}
	cof_count_add_shared(&cof->flow->memory.versions, 1);
	method->copy = copy;
	method->first = first;
	first->stays = true;
	first->entry = copy->entry;
	return 0;
}

int cof_version_copy(struct cof_method *method,
		     const struct cof_version_desc *copy)
{
	struct cof_version *v;
	struct cof *cof;
	int err;

	if (!method || !copy || copy->size < sizeof(*copy) || !copy->start)
		return -COF_E_INVAL;
	cof = method->cof;
	pthread_mutex_lock(&cof->code_lock);
	v = atomic_load_explicit(&method->current, memory_order_relaxed);
	err = can_be_copied(method, v) ? enter(method, v, copy) : -COF_E_STATE;
	if (!err)
		cof_publish(v);
	pthread_mutex_unlock(&cof->code_lock);
	if (!err)
		cof_patcher_barrier(cof);
	return err;
}

void cof_copy_free(struct cof_method *method)
{
	struct cof *cof = method->cof;
	struct cof_version *v = method->first;

	if (method->copy)
		cof_record_free(cof, method->copy);
	if (v && v != atomic_load_explicit(&method->current,
					   memory_order_relaxed))
		cof_reclaim_end(cof, v);
	method->copy = method->first = NULL;
}
