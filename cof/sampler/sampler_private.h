/*
 * sampler_private.h - what SAM's parts share: its thread, its window, its guests
 *
 *	sampler.c   the thread: rounds, life
 *	delayed_start.c     when its first round is
 *	overhead_window.c    the budget, once per window
 *	attach.c    guest threads come and go
 */
#ifndef COF_SAMPLER_SAMPLER_PRIVATE_H
#define COF_SAMPLER_SAMPLER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/cost.h"
#include "instance.h"
#include "sampler/sources/ladder.h"
#include "process/process.h"
#include "process/forked.h"
#include "sampler/sampler.h"
#include "sampler/sampler.h"
#include "process/stage.h"

struct cof_sampler {
	struct cof       *cof;
	const struct cof_sampler_hooks *hooks;	/* constant; NULL: none */
	struct cof_stage  stage;
	bool              silent;	/* mode pgo: no thread, no source. The
					 * handler answers reclaim, that is all */
	struct cof_ladder ladder;	/* threads lock */
	bool              held;		/* threads lock: no source yet, since
					 * the loop has not begun */
	bool              signalled;	/* threads lock: the handler is
					 * installed; constant while running */
	bool              running;	/* threads lock: SAM drains, and sources
					 * are open */
	uint64_t          period_ns;	/* threads lock */
	size_t            shown;	/* bytes of ladder.why in the stats */

	/* SAM's. */
	uint64_t          backoff;	/* times drain_ms */
	uint64_t          drained;	/* samples seen in this round */
	uint64_t          window_ns;	/* when the window began */
	uint64_t          credited;	/* samples of versions before the round */
	uint64_t          credited_ns;	/* the last round that gave some */
	bool              told;		/* a child shares code memory */
	struct cof_cost   cost;
};

static inline struct cof_flow_sampler *cof_sampler_flow(struct cof_sampler *s)
{
	return &s->cof->flow->sampler;
}

/* [threads lock] In a fork's child there is no SAM, and no timer. */
static inline bool cof_sampler_is_running(const struct cof_sampler *s)
{
	return s->running && s->stage.forks == cof_forked_count();
}

/* Held until the program has run for long enough: wait, and begin. False: SAM is to stop
 * first, or the loop cannot begin. */
bool cof_sampler_await_start(struct cof_sampler *s);

/* [threads lock] CPU time, cost and period up to now. */
void cof_overhead_window_judge(struct cof_sampler *s);

/* The end of a round, at `now_ns`: is it the end of a window? */
void cof_overhead_window_turn(struct cof_sampler *s, uint64_t now_ns);

/* What cof-stats says about the source. */
void cof_sampler_show_source(struct cof_sampler *s);

/* [threads lock] Samples are taken of it from now on. */
void cof_sampler_begin_thread(struct cof_sampler *s, struct cof_thread *t);

#endif /* COF_SAMPLER_SAMPLER_PRIVATE_H */
