/*
 * patcher.c - prepare a version and install it
 */
#include "patcher/patcher.h"

#include "base/role.h"
#include "code/jitinfo.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "patcher/left_alone.h"
#include "patcher/publish.h"
#include "patcher/retire.h"
#include "patcher/version_desc.h"
#include "process/barrier.h"

/* -- Prepare --------------------------------------------------------------- */

struct cof_version *cof_patcher_prepare(struct cof_method *method,
					const struct cof_version_desc *from,
					int *err)
{
	struct cof *cof = method->cof;
	struct cof_flow_patcher *flow = &cof->flow->patcher;
	struct cof_version *v = cof_version_desc_make(method, from, err);
	bool full = false;

	pthread_mutex_lock(&cof->code_lock);
	if (v) {
		bool was_full = cof_jitinfo_is_full(cof->index);

		v->number = method->code.next_number;
		v->links.left_alone = atomic_load_explicit(
			&cof->left_alone, memory_order_relaxed);
		*err = cof_jitinfo_add(cof->index, v);
		full = !was_full && cof_jitinfo_is_full(cof->index);
	}
	if (*err == 0) {
		method->code.next_number++;
	} else {
		cof_count_add(&flow->offered, 1);
		cof_count_add(&flow->drop_REFUSED, 1);
	}
	pthread_mutex_unlock(&cof->code_lock);
	if (full)
		cof_stage_wake(cof->wake.optimizer);	/* P/O collects */
	if (*err != 0) {
		cof_version_desc_forget(v);
		return NULL;
	}
	cof_count_add_shared(&cof->flow->memory.versions, 1);
	return v;
}

/* -- Install --------------------------------------------------------------- */

/* Why the version is not installed; NULL: it is. */
static cof_count *refusal(struct cof *cof, const struct cof_version *v,
			  const struct cof_version *old,
			  const struct cof_version *over)
{
	struct cof_flow_patcher *flow = &cof->flow->patcher;

	if (cof_codemem_range(cof->codemem)->closed)
		return &flow->drop_REFUSED;
	if (over && old != over)
		return &flow->drop_SUPERSEDED;
	if (over && cof_left_alone_may_be_in(v))
		return &flow->drop_LEFT_ALONE;
	if (over && cof->opts.dry_run)
		return &flow->drop_DRY_RUN;
	if (old && !cof_barrier_works(cof))
		return &flow->drop_REFUSED;
	return NULL;
}

static void copy_weight(struct cof_version *to, const struct cof_version *from)
{
	struct cof_word w = cof_word_read(&from->word);

	w.calls = 0;
	w.flags = 0;
	atomic_store_explicit(&to->word, cof_word_pack(w),
			      memory_order_relaxed);
}

bool cof_patcher_install(struct cof_version *v, struct cof_version *over,
			 bool barrier)
{
	struct cof_method *method = v->method;
	struct cof *cof = method->cof;
	struct cof_version *old;
	cof_count *no;

	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_own(cof->codemem);	/* or it is closed from now on */
	old = atomic_load_explicit(&method->current, memory_order_relaxed);
	no = refusal(cof, v, old, over);
	cof_count_add(&cof->flow->patcher.offered, 1);
	cof_count_add(no ? no : &cof->flow->patcher.installed, 1);
	if (!no) {
		if (old && !over) {
			copy_weight(v, old);
			method->code.host_number = v->number;
		}
		cof_publish(v);
	}
	if (!no && old && over && (cof->audit || v->code.counting))
		cof_publish_park(old);
	else if (no || old)
		cof_retire(cof, no ? v : old);
	pthread_mutex_unlock(&cof->code_lock);

	/* A first version needs no barrier: a stub that still calls the
	 * trampoline does no harm. */
	if (!no && old && barrier)
		cof_barrier(cof);
	if ((no || old) && cof_role != COF_ROLE_PICKER)
		cof_stage_wake(cof->wake.optimizer);
	return !no;
}
