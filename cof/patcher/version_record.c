/*
 * version_record.c - unlink a record, discard and free it; see version_record.h
 */
#include "patcher/version_record.h"

#include "base/clock.h"
#include "code/jitinfo.h"
#include "instance.h"
#include "memory/mem.h"
#include "patcher/site.h"
#include "threads/unwind.h"

#define TURNS 2u	/* the first may have been under way already */

/* The fence: earlier samples are in their rings before SAM turns again. */
bool cof_version_record_is_drained(struct cof *cof, struct cof_version *v)
{
	uint64_t turn;

	if (!cof->host.locate || !cof->sampler || !cof->predictor)
		return true;
	atomic_thread_fence(memory_order_seq_cst);	/* instance.h: A */
	turn = atomic_load_explicit(&cof->sam_turns, memory_order_acquire);
	if (!v->retired.empty)
		v->retired.sam_turn = turn;
	v->retired.empty = true;
	return turn >= v->retired.sam_turn + TURNS;
}

void cof_version_record_unlink(struct cof *cof, struct cof_version *v)
{
	cof_sites_unbind(v);
	cof_jitinfo_remove(cof->index, v);
	v->state = COF_VERSION_QUARANTINE;
	v->retired.at_ns = cof_clock_ns();
	atomic_thread_fence(memory_order_seq_cst);	/* instance.h: A */
	v->retired.sam_turn = atomic_load_explicit(&cof->sam_turns,
						   memory_order_relaxed);
	v->retired.pre_turn = UINT64_MAX;	/* SAM has not turned yet */
}

void cof_version_record_discard(struct cof *cof, struct cof_version *v)
{
	if (v->code.unwound)
		cof_unwind_remove((const void *)v->code.start);
	v->code.unwound = false;
	if (cof->host.discard && !v->code.is_again && !v->code.is_trap)
		cof->host.discard(cof->host.ctx, v->code.data);
}

/*
 * PRE may get a pointer from SAM for as long as SAM has it, and P/O from PRE.
 * So this waits for SAM first, and counts PRE's turns from then on. P/O calls
 * this, so its own turn is over. In mode pgo there is no PRE, and P/O has what
 * is in the ring from SAM. The letters are those of instance.h.
 */
bool cof_version_record_is_unknown(struct cof *cof, struct cof_version *v)
{
	if (!cof->sampler || cof_takes_compiled(cof))
		return true;	/* SAM has no thread */
	if (v->retired.pre_turn == UINT64_MAX) {
		if (atomic_load_explicit(&cof->sam_turns,
					 memory_order_acquire) <	/* D */
		    v->retired.sam_turn + TURNS)
			return false;
		atomic_thread_fence(memory_order_seq_cst);		/* E */
		v->retired.pre_turn = atomic_load_explicit(
			&cof->pre_turns, memory_order_relaxed);
	}
	if (!cof->predictor)
		return cof_ring_is_empty(&cof->touched);
	return cof->forecasts_turn >= v->retired.pre_turn + TURNS;
}

void cof_version_record_free(struct cof *cof, struct cof_version *v)
{
	cof_mem_free(v->links.inlined);
	cof_mem_free(v->links.sites);
	cof_mem_free(v);
	cof_count_add_shared(&cof->flow->memory.versions, -(uint64_t)1);
}
