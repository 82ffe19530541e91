/*
 * predictor.c - PRE: the thread shell around generations; see predictor.h
 *
 *	touched ring --> cof_generation_*() --> forecasts ring, stats file,
 *	                                        counters
 *
 * Generations end at the points of a fixed grid of times. So their length does
 * not drift, and a late turn does not make the next one late. While nothing is
 * sampled, PRE sleeps through some points. A wake brings it to the next point,
 * not into the middle of a generation, which would then count only a part of
 * its samples.
 */
#include "predictor/predictor.h"

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/role.h"
#include "instance.h"
#include "memory/mem.h"
#include "options/tuning.h"
#include "predictor/forecast.h"
#include "predictor/generation.h"
#include "predictor/phase_tracker.h"
#include "stats/stats_file.h"

#define IDLE_NS     1000000000u		/* the longest sleep while idle */
#define DRAIN_BATCH 256u		/* versions */

struct cof_predictor {
	struct cof_stage         stage;
	struct cof_generation    gen;
	struct cof_phase_tracker tracker;
	uint64_t                 due_ns; /* the generation's end; 0: none */
	uint32_t                 idle;	/* turns in a row without a touched
					 * version */
};

/*
 * Fold the versions that were in the ring when the turn began. Later ones wait:
 * SAM could add versions for ever.
 */
static uint64_t drain(struct cof *cof)
{
	struct cof_version *batch[DRAIN_BATCH];
	struct cof_ring *ring = &cof->touched;
	uint64_t left, total = 0;

	/* A record is two words, its length and the pointer. */
	left = (atomic_load_explicit(&ring->head, memory_order_relaxed) -
		atomic_load_explicit(&ring->tail, memory_order_relaxed)) / 2;
	while (left > 0) {
		uint64_t word;
		uint32_t n = 0;

		while (n < DRAIN_BATCH && left > 0 &&
		       cof_ring_pop(ring, &word, 1)) {
			batch[n++] = (struct cof_version *)(uintptr_t)word;
			left--;
		}
		if (n == 0)
			break;
		cof_generation_touch(&cof->predictor->gen, batch, n,
				     &cof->opts);
		total += n;
	}
	return total;
}

static void forecast(struct cof *cof)
{
	const struct cof_generation *gen = &cof->predictor->gen;
	struct cof_flow_predictor *flow = &cof->flow->predictor;
	uint32_t pushed = 0;

	for (uint32_t i = 0; i < gen->n_forecasts; i++) {
		uint64_t w[COF_FORECAST_WORDS];

		cof_forecast_pack(&gen->forecast[i], w);
		if (cof_ring_push(&cof->forecasts, w, COF_FORECAST_WORDS))
			pushed++;
		else
			cof_count_add(&flow->drop_QUEUE_FULL, 1);
	}
	cof_count_add(&flow->forecast, pushed);
	if (pushed > 0 && cof->optimizer)
		cof_stage_wake(cof->wake.optimizer);
}

static void count(struct cof *cof)
{
	const struct cof_generation *gen = &cof->predictor->gen;
	struct cof_flow_predictor *flow = &cof->flow->predictor;

	cof_count_add(&flow->candidates, gen->candidates);
	cof_count_add(&flow->drop_NOT_CHOSEN, gen->not_chosen);
	cof_count_add(&flow->drop_SETTLED, gen->settled);
	cof_count_add(&flow->drop_DEAD, gen->dead);
	cof_count_add(&flow->generations, 1);
	cof_count_add(&flow->empty, gen->samples == 0);
	cof_count_add(&flow->weighed, gen->weighed);
	cof_count_set(&flow->hits, gen->hits.n);
	if (gen->compared) {
		cof_count_add(&flow->phase_changes, gen->phase);
		cof_count_set(&flow->similarity, gen->similarity);
	}
}

/* Write the heaviest versions to the stats file. */
static void show(struct cof *cof)
{
	const struct cof_generation *gen = &cof->predictor->gen;
	struct cof_version *hot[COF_RANK_MAX];
	uint32_t calls[COF_RANK_MAX];

	for (uint32_t i = 0; i < gen->heavy.n; i++) {
		hot[i] = gen->heavy.at[i].version;
		calls[i] = gen->heavy.at[i].calls;
	}
	cof_stats_file_hot(cof->stats_file, hot, calls, gen->heavy.n);
	__atomic_store_n(&cof->stats_file->header->updated_ns, cof_clock_ns(),
			 __ATOMIC_RELAXED);
}

void cof_predictor_turn(struct cof *cof)
{
	struct cof_predictor *pre = cof->predictor;
	struct cof_generation *gen = &pre->gen;
	uint64_t generation;

	cof_assert_role(COF_ROLE_PREDICTOR);
	generation = cof_generation_now(cof) + 1;
	cof_generation_begin(gen, generation, &cof->opts);
	pre->idle = drain(cof) > 0 ? 0 : pre->idle + 1;
	cof_generation_end(gen, &cof->opts);

	count(cof);
	forecast(cof);
	show(cof);
	cof_phase_tracker_step(cof, &pre->tracker, gen);
	cof_count_set(&cof->flow->predictor.pre_ns, cof_clock_thread_ns());

	atomic_store_explicit(&cof->generation, generation,
			      memory_order_release);
	/*
	 * The release pairs with reclaim's acquire: if reclaim sees the number,
	 * this turn no longer uses the versions it dropped (predictor.h).
	 *
	 * The fence pairs with a fence of reclaim's, between marking a version
	 * dead, or seeing SAM's turns, and reading pre_turns. If reclaim read
	 * the number from before, the next turn sees the mark, and the ring as
	 * SAM left it.
	 */
	atomic_fetch_add_explicit(&cof->pre_turns, 1, memory_order_release);
	atomic_thread_fence(memory_order_seq_cst);
}

/* The first point of the grid {due + k * period} that is after now. */
static uint64_t grid_after(uint64_t due, uint64_t period, uint64_t now)
{
	if (due > now)
		return due - (due - now - 1) / period * period;
	return due + ((now - due) / period + 1) * period;
}

uint64_t cof_predictor_step(struct cof *cof, uint64_t now_ns)
{
	struct cof_predictor *pre = cof->predictor;
	uint64_t period = (uint64_t)cof->opts.generation_ms * 1000000u;
	uint64_t skip = period < IDLE_NS ? IDLE_NS / period - 1 : 0;

	if (pre->due_ns == 0)
		pre->due_ns = now_ns + period;
	if (now_ns >= pre->due_ns) {
		cof_predictor_turn(cof);
		now_ns = cof_clock_ns();
		pre->due_ns = grid_after(pre->due_ns, period, now_ns);
		if (pre->idle >= COF_TUNE(predictor_idle_after))
			pre->due_ns += skip * period;
	} else {			/* just begun, or woken */
		pre->due_ns = grid_after(pre->due_ns, period, now_ns);
	}
	return pre->due_ns - now_ns;
}

static void run(void *arg)
{
	struct cof *cof = arg;
	uint64_t ns;

	do
		ns = cof_predictor_step(cof, cof_clock_ns());
	while (cof_stage_sleep(&cof->predictor->stage, ns));
}

int cof_predictor_new(struct cof *cof)
{
	cof->predictor = cof_mem_alloc(sizeof(*cof->predictor));
	if (!cof->predictor)
		return -COF_E_NOMEM;
	cof_generation_init(&cof->predictor->gen);
	cof_stage_init(&cof->predictor->stage, "cof-pre", COF_ROLE_PREDICTOR,
		       run, cof);
	cof->wake.predictor = &cof->predictor->stage;
	return 0;
}

enum cof_list cof_predictor_list(const struct cof *cof)
{
	cof_assert_role(COF_ROLE_PREDICTOR);
	return cof->predictor->gen.list;
}

int cof_predictor_start(struct cof *cof)
{
	return cof_stage_start(&cof->predictor->stage);
}

void cof_predictor_stop(struct cof *cof)
{
	if (cof->predictor)
		cof_stage_stop(&cof->predictor->stage);
}

void cof_predictor_free(struct cof *cof)
{
	if (!cof->predictor)
		return;
	cof_generation_free(&cof->predictor->gen);
	cof_mem_free(cof->predictor);
	cof->predictor = NULL;
	cof->wake.predictor = NULL;
}
