/*
 * version_record.c - out of the index, discarded, freed; see version_record.h
 */
#include "patcher/version_record.h"

#include "base/clock.h"
#include "instance.h"
#include "code/jitinfo.h"
#include "memory/mem.h"
#include "patcher/site.h"
#include "threads/unwind.h"

#define TURNS 2u	/* one may have been under way */

/* The fence: a sample from before is in a ring before SAM turns once more. */
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
	v->retired.pre_turn = UINT64_MAX;	/* before SAM has turned */
}

void cof_version_record_discard(struct cof *cof, struct cof_version *v)
{
	if (v->code.unwound)
		cof_unwind_remove((const void *)v->code.start);
	v->code.unwound = false;
	if (cof->host.discard)
		cof->host.discard(cof->host.ctx, v->code.data);
}

/*
 * PRE may take a pointer from SAM as long as SAM may give it, and P/O from PRE,
 * so they are waited for one after the other, and PRE's turns are counted from
 * when SAM is known to be done; that P/O's own turn is over is why it is here.
 * Letters are instance.h's.
 */
bool cof_version_record_is_unknown(struct cof *cof, struct cof_version *v)
{
	if (!cof->sampler || !cof->predictor)
		return true;
	if (v->retired.pre_turn == UINT64_MAX) {
		if (atomic_load_explicit(&cof->sam_turns,
					 memory_order_acquire) <	/* D */
		    v->retired.sam_turn + TURNS)
			return false;
		atomic_thread_fence(memory_order_seq_cst);		/* E */
		v->retired.pre_turn = atomic_load_explicit(&cof->pre_turns,
						   memory_order_relaxed);
	}
	return cof->forecasts_turn >= v->retired.pre_turn + TURNS;
}

void cof_version_record_free(struct cof *cof, struct cof_version *v)
{
	cof_mem_free(v->links.inlined);
	cof_mem_free(v->links.sites);
	cof_mem_free(v);
	cof_count_add_shared(&cof->flow->memory.versions, -(uint64_t)1);
}
