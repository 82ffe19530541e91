/*
 * finish.c - see finish.h
 */
#include "optimizer/finish.h"

#include <time.h>

#include "instance.h"
#include "optimizer/build/worker.h"
#include "optimizer/policy/picker.h"
#include "stats/stats_file.h"

#define LOOK_NS 5000000

void cof_finish_turn(struct cof *cof, const struct cof_picker *picker,
		     struct cof_workers *workers)
{
	bool is_done = picker->profiles.full == 0 &&
		       cof_workers_quiet_ns(workers) != UINT64_MAX;
	cof_count *turns = &cof->flow->optimizer.turns;

	cof_count_add(turns, 1);
	atomic_store_explicit(&cof->done_turn,
			      is_done ? cof_count_get(turns) : 0,
			      memory_order_relaxed);
}

/* What was cached already is not built. */
static uint64_t built(const struct cof *cof)
{
	const struct cof_flow_profile *flow = &cof->flow->profile;
	uint64_t all = cof_count_get(&flow->built) +
		       cof_count_get(&flow->instrumented);
	uint64_t cached = cof_count_get(&cof->flow->optimizer.cached) +
			  cof_count_get(&flow->cached_counting);

	return all > cached ? all - cached : 0;
}

uint64_t cof_unfinished(const struct cof *cof)
{
	return cof && cof->opts.auto_finish && !cof->opts.finish ?
	       cof_count_get(&cof->flow->profile.unfinished) : 0;
}

uint64_t cof_finish(struct cof *cof)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	uint64_t turns;

	if (!cof || !cof->opts.finish || !cof->optimizer)
		return 0;
	/* Two turns that end from now on are one that begins from now on. */
	turns = cof_count_get(&cof->flow->optimizer.turns) + 1;
	while (!atomic_load_explicit(&cof->stopped, memory_order_acquire) &&
	       atomic_load_explicit(&cof->done_turn, memory_order_relaxed) <=
		       turns) {
		cof_stage_wake(cof->wake.optimizer);
		nanosleep(&look, NULL);
	}
	return built(cof);
}
