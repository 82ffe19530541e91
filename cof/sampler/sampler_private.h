/*
 * sampler_private.h - the sampler's state, for the files that implement it
 *
 *	sampler.c           the thread: start, rounds, stop
 *	drain_threads.c     the threads of a round
 *	delayed_start.c     wait for the first round
 *	overhead_window.c   the budget, once per window
 *	attach.c            guest threads attach and detach
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instance.h"
#include "process/forked.h"
#include "process/stage.h"
#include "sampler/cost.h"
#include "sampler/sampler.h"
#include "sampler/sources/ladder.h"

struct cof_sampler {
	struct cof       *cof;
	const struct cof_sampler_hooks *hooks;	/* constant; NULL: none */
	struct cof_stage  stage;
	bool              silent;	/* mode pgo: no thread and no source,
					 * only the handler, for reclaim */
	struct cof_ladder ladder;	/* threads lock */
	bool              delayed;	/* threads lock: no source yet, since
					 * the loop has not begun */
	bool              signalled;	/* threads lock: the handler is
					 * installed; constant while running */
	bool              running;	/* threads lock: SAM drains, and sources
					 * are open */
	uint64_t          period_ns;	/* threads lock */
	size_t            shown_bytes;	/* of ladder.why, in the stats file */

	/* Owner: SAM. */
	uint64_t          backoff;	/* times drain_ms */
	uint64_t          drained;	/* samples seen in this round */
	uint64_t          taken;	/* samples that sampled_ns is of */
	uint64_t          sampled_ns;	/* CPU time that they stand for */
	uint64_t          window_ns;	/* when the window began */
	uint32_t          window;	/* its number, from 1 */
	uint64_t          credited;	/* samples credited before the round */
	uint64_t          credited_ns;	/* the last round with such samples */
	bool              reclaim_off;	/* a child shares code memory */
	struct cof_cost   cost;
};

static inline struct cof_flow_sampler *cof_sampler_flow(struct cof_sampler *s)
{
	return &s->cof->flow->sampler;
}

/* [threads lock] In a forked child there is no SAM, and no timer. */
static inline bool cof_sampler_is_running(const struct cof_sampler *s)
{
	return s->running && s->stage.forks == cof_forked_count();
}

/* Wait until the program has used enough CPU time, and begin the loop. False:
 * SAM was told to stop first, or the loop cannot begin. */
bool cof_sampler_await_start(struct cof_sampler *s);

/* [threads lock] Drain the threads that have had samples or are gone, or `all`:
 * also those of a source that SAM reads. */
void cof_sampler_drain(struct cof_sampler *s, bool all);

/* [threads lock] Close the window: add up the cost, set the period. A thread
 * has it with its next sample. CPU time is that of threads that had samples, up
 * to the first one in the window; with `all` that of all threads, up to now. */
void cof_overhead_window_close(struct cof_sampler *s, bool all);

/* [threads lock] Count the CPU time that t has used. */
void cof_overhead_window_clock(struct cof_sampler *s, struct cof_thread *t);

/* At the end of a round, at `now_ns`: close the window if it is over. */
void cof_overhead_window_check(struct cof_sampler *s, uint64_t now_ns);

/* At the end of a round: what the samples of the round stand for. */
void cof_overhead_window_value(struct cof_sampler *s);

/* Write the source, its reason and its period to the stats file. */
void cof_sampler_show_source(struct cof_sampler *s);

/* [threads lock] Sample t from now on, if a source takes it. */
void cof_sampler_begin_thread(struct cof_sampler *s, struct cof_thread *t);
