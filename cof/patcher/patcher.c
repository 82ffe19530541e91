/*
 * patcher.c - prepare and install
 */
#include "patcher/patcher.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "instance.h"
#include "jitinfo.h"
#include "mem.h"
#include "optimizer/optimizer.h"
#include "patcher/codemem.h"
#include "patcher/publish.h"
#include "patcher/reclaim.h"
#include "process.h"
#include "role.h"
#include "sampler/unwind.h"

/* -- Prepare ---------------------------------------------------------------- */

/* As the caller's compiler knew it; what it did not know reads as zero. */
static bool read_desc(struct cof_version_desc *to,
		      const struct cof_version_desc *from)
{
	size_t bytes;

	if (!from || from->size < offsetof(struct cof_version_desc, entry))
		return false;
	bytes = from->size < sizeof(*to) ? from->size : sizeof(*to);
	memset(to, 0, sizeof(*to));
	memcpy(to, from, bytes);
	return true;
}

static bool block_is_good(const struct cof_codemem *mem,
			  const struct cof_code *block, uintptr_t start,
			  uintptr_t end)
{
	uintptr_t lo = (uintptr_t)block->exec, hi = lo + block->size_bytes;

	if (!block->exec)
		return true;
	return hi > lo && cof_codemem_holds(mem, lo, hi) &&
	       cof_codemem_write(mem, lo) == block->write &&
	       lo <= start && end <= hi;
}

/* Sites are written through the alias, so there must be one. */
static bool calls_are_good(const struct cof *cof,
			   const struct cof_version_desc *desc,
			   uintptr_t start, uintptr_t end)
{
	if (desc->n_calls == 0)
		return true;
	if (!desc->calls || desc->n_calls > UINT32_MAX || end - start < 4 ||
	    !cof_codemem_holds(cof->codemem, start, end))
		return false;
	for (size_t i = 0; i < desc->n_calls; i++) {
		uintptr_t at = (uintptr_t)desc->calls[i].rel32;

		if (at < start || at > end - 4 || !desc->calls[i].callee ||
		    desc->calls[i].callee->cof != cof)
			return false;
	}
	return true;
}

static bool inlined_are_good(const struct cof *cof,
			     const struct cof_version_desc *desc)
{
	if (desc->n_inlined == 0)
		return true;
	if (!desc->inlined || desc->n_inlined > UINT32_MAX)
		return false;
	for (size_t i = 0; i < desc->n_inlined; i++)
		if (!desc->inlined[i] || desc->inlined[i]->cof != cof)
			return false;
	return true;
}

static bool is_good(const struct cof *cof, const struct cof_version_desc *desc)
{
	uintptr_t start = (uintptr_t)desc->start;
	uintptr_t end = start + desc->size_bytes;
	uintptr_t entry = desc->entry ? (uintptr_t)desc->entry : start;

	return start && end > start && entry >= start && entry < end &&
	       (unsigned)desc->plan < COF_PLAN_COUNT &&
	       block_is_good(cof->codemem, &desc->block, start, end) &&
	       calls_are_good(cof, desc, start, end) &&
	       inlined_are_good(cof, desc);
}

static void free_version(struct cof_version *v)
{
	if (v) {
		if (v->unwound)
			cof_unwind_remove((const void *)v->start);
		cof_free_mem(v->inlined);
		cof_free_mem(v->sites);
	}
	cof_free_mem(v);
}

/* False: no memory. */
static bool copy_lists(struct cof_version *v,
		       const struct cof_version_desc *desc)
{
	if (desc->n_calls != 0 &&
	    !(v->sites = cof_alloc(desc->n_calls * sizeof(*v->sites))))
		return false;
	v->n_sites = (uint32_t)desc->n_calls;
	for (uint32_t i = 0; i < v->n_sites; i++) {
		v->sites[i].callee = desc->calls[i].callee;
		v->sites[i].caller = v->method;
		v->sites[i].rel32 = (uintptr_t)desc->calls[i].rel32;
	}
	if (desc->n_inlined != 0 &&
	    !(v->inlined = cof_alloc(desc->n_inlined * sizeof(*v->inlined))))
		return false;
	v->n_inlined = (uint32_t)desc->n_inlined;
	for (uint32_t i = 0; i < v->n_inlined; i++)
		v->inlined[i] = desc->inlined[i];
	return true;
}

static struct cof_version *new_version(struct cof_method *method,
				       const struct cof_version_desc *desc)
{
	struct cof_version *v = cof_alloc(sizeof(*v));

	if (!v)
		return NULL;
	v->start = (uintptr_t)desc->start;
	v->end = v->start + desc->size_bytes;
	v->entry = desc->entry ? (uintptr_t)desc->entry : v->start;
	v->method = method;
	v->plan = desc->plan;
	v->data = desc->data;
	v->block = desc->block;
	if (!copy_lists(v, desc)) {
		free_version(v);
		return NULL;
	}
	/* Without it, stacks through this version are cut short. */
	v->unwound = desc->eh_frame &&
		     cof_unwind_add(desc->start, (const void *)v->end,
				    desc->eh_frame, desc->eh_frame_bytes) == 0;
	return v;
}

struct cof_version *cof_patcher_prepare(struct cof_method *method,
					const struct cof_version_desc *from,
					int *err)
{
	struct cof *cof = method->cof;
	struct cof_flow_patcher *flow = &cof->flow->patcher;
	struct cof_version *v = NULL;
	struct cof_version_desc desc;
	bool full = false;

	*err = -COF_E_INVAL;
	if (read_desc(&desc, from) && is_good(cof, &desc)) {
		*err = -COF_E_NOMEM;
		v = new_version(method, &desc);
	}
	pthread_mutex_lock(&cof->code_lock);
	if (v) {
		bool was_full = cof_jitinfo_is_full(cof->index);

		v->number = method->next_number;
		*err = cof_jitinfo_add(cof->index, v);
		full = !was_full && cof_jitinfo_is_full(cof->index);
	}
	if (*err == 0) {
		method->next_number++;
	} else {
		cof_count_add(&flow->offered, 1);
		cof_count_add(&flow->drop_REFUSED, 1);
	}
	pthread_mutex_unlock(&cof->code_lock);
	if (full)
		cof_optimizer_wake(cof);	/* it collects */
	if (*err != 0) {
		free_version(v);
		return NULL;
	}
	cof_count_add_shared(&cof->flow->memory.versions, 1);
	return v;
}

/* -- Install ---------------------------------------------------------------- */

/* A barrier that fails meanwhile has the last word. */
bool cof_patcher_can_sync(struct cof *cof)
{
	int unknown = 0, can;

	can = atomic_load_explicit(&cof->can_sync, memory_order_relaxed);
	if (can != 0)
		return can > 0;
	can = cof_process_sync_core() == 0 ? 1 : -1;
	cof_count_add_shared(&cof->flow->patcher.barriers, 1);
	if (atomic_compare_exchange_strong_explicit(&cof->can_sync, &unknown,
						    can, memory_order_relaxed,
						    memory_order_relaxed))
		return can > 0;
	return unknown > 0;
}

/* Why it does not go in, or NULL: it does. */
static cof_count *refusal(struct cof *cof, const struct cof_version *old,
			  const struct cof_version *over)
{
	struct cof_flow_patcher *flow = &cof->flow->patcher;

	if (cof_codemem_range(cof->codemem)->closed)
		return &flow->drop_REFUSED;
	if (over && old != over)
		return &flow->drop_SUPERSEDED;
	if (over && cof->opts.dry_run)
		return &flow->drop_DRY_RUN;
	if (old && !cof_patcher_can_sync(cof))
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
	old = atomic_load_explicit(&method->current, memory_order_relaxed);
	no = refusal(cof, old, over);
	cof_count_add(&cof->flow->patcher.offered, 1);
	cof_count_add(no ? no : &cof->flow->patcher.installed, 1);
	if (!no) {
		if (old && !over) {
			copy_weight(v, old);
			method->host_number = v->number;
		}
		cof_publish(v);
	}
	if (!no && old && over && (cof->audit || v->counting))
		cof_publish_park(old);
	else if (no || old)
		cof_reclaim_retire(cof, no ? v : old);
	pthread_mutex_unlock(&cof->code_lock);

	/* A stub that still calls the trampoline does no harm: a first version
	 * needs no barrier. */
	if (!no && old && barrier)
		cof_patcher_barrier(cof);
	if ((no || old) && cof_role != COF_ROLE_PICKER)
		cof_optimizer_wake(cof);
	return !no;
}

bool cof_patcher_barrier(struct cof *cof)
{
	cof_count_add_shared(&cof->flow->patcher.barriers, 1);
	if (cof_process_sync_core() == 0)
		return true;
	atomic_store_explicit(&cof->can_sync, -1, memory_order_relaxed);
	cof_reclaim_disable(cof, "the kernel refuses membarrier(SYNC_CORE)");
	return false;
}
