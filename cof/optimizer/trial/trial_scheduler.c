/*
 * trial_scheduler.c - the clock of all trials
 *
 *	a slice ----> SAM is woken ----> it has turned ----> look, judge, switch,
 *	   ^          to drain           (A - B)             one barrier
 *	   +-----------------------------------------------------+
 *
 * All trials share their slices, and each draws its turns by itself: what others
 * do to it is noise that the draw evens out. A slice ends when SAM has credited
 * the samples that were taken in it.
 *
 * Ordering: SAM's turn is counted with a release (A: instance.h's C) and read
 * here with an acquire (B): who sees the turn sees the samples it credited.
 */
#include "optimizer/trial/trial_scheduler.h"

#include "base/random.h"
#include "base/units.h"
#include "base/clock.h"
#include "instance.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/trial/trial_verdict.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/trial/trial_turns.h"
#include "optimizer/build/worker.h"
#include "options/tuning.h"
#include "patcher/patcher.h"
#include "process/barrier.h"
#include "base/role.h"
#include "sampler/sampler.h"

#define DRAIN_NS     COF_MS_NS		/* looks whether SAM turned */
#define DRAIN_MAX_NS (200 * COF_MS_NS)	/* it hangs: go on without */

static uint64_t samples_now(const struct cof *cof)
{
	const struct cof_flow_sampler *flow = &cof->flow->sampler;

	return cof_count_get(&flow->counted) + cof_count_get(&flow->drop_NATIVE) +
	       cof_count_get(&flow->drop_DEAD);
}

/* CPU time of the process, less what builds take. */
static uint64_t cpu_now(const struct cof_trial_scheduler *d)
{
	uint64_t all = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t builds = d->workers ? cof_workers_cpu_ns(d->workers) : 0;

	return all > builds ? all - builds : 0;
}

static void take_off(struct cof_trial **at)
{
	struct cof_trial *t = *at;

	*at = t->next;
	cof_trial_free(t);
}

/* In another phase of the program than its own? Returns whether it is over: that
 * phase is not seen any more. */
static bool rests_for_good(struct cof *cof, struct cof_trial_scheduler *d,
			   struct cof_trial *t)
{
	bool elsewhere = cof_phase_reuse_elsewhere(cof, t->phase);

	if (elsewhere && !t->paused) {
		cof_trial_pause(t);
		t->paused_at = cof_generation_now(cof);
	} else if (!elsewhere && t->paused) {
		cof_trial_resume(t, cof_random_next(&d->random));
	}
	if (!t->paused ||
	    cof_generation_now(cof) - t->paused_at < COF_TUNE(trial_pause_most))
		return false;
	cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_ELSEWHERE);
	cof_trial_end(t, cof_trial_prefers_b(t));
	return true;
}

/*
 * The host replaced a version on trial. In each turn, not only where a slice
 * ends: reclaim needs some turns of P/O's to free the record of what was
 * replaced, and after that nobody may touch it.
 */
static void drop_fallen(struct cof *cof, struct cof_trial_scheduler *d)
{
	struct cof_trial **at = &d->trials, *t;

	while ((t = *at) != NULL) {
		if (cof_trial_stands(cof, t)) {
			at = &t->next;
			continue;
		}
		cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_REPLACED);
		cof_trial_leave(t, NULL);
		take_off(at);
	}
}

static void begin_waiting(struct cof *cof, struct cof_trial_scheduler *d)
{
	struct cof_trial **at = &d->trials, *t;

	while ((t = *at) != NULL) {
		if (t->begun || cof_generation_now(cof) < t->not_before) {
			at = &t->next;
			continue;
		}
		if (!cof_trial_begin(cof, t, cof_random_next(&d->random))) {
			cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_NO_ROOM);
			cof_trial_end(t, true);
			take_off(at);
		} else {
			rests_for_good(cof, d, t);
			d->active |= !t->paused;
			at = &t->next;
		}
	}
}

/* A slice of it has ended. Returns whether the trial is over. */
static bool tick(struct cof *cof, struct cof_trial_scheduler *d, struct cof_trial *t,
		 struct cof_tick *tick)
{
	bool many = cof_count_get(&cof->flow->threads.now) > 1;
	struct cof_toll toll;
	bool block;

	tick->may_count = cof_trial_budget_may_count(&d->purse);
	tick->random = cof_random_next(&d->random);
	block = cof_trial_turns_tick(t, tick, &toll);
	t->cost_ns += cof_trial_budget_count(&d->purse, toll.entries, many);
	cof_trial_budget_lose(&d->purse, toll.lost_ns);
	if (!block)
		return false;
	cof_evidence_checkpoint_note(&t->rewind, &t->evidence,
			cof_count_get(&cof->flow->phase.windows));
	if (cof_trial_verdict_block(cof, &d->gains, t, cof_random_next(&d->random)))
		return true;
	if (!cof_trial_budget_may_turn(&d->purse))
		cof_trial_rest(t);
	return false;
}

/* Returns whether the trial is over. */
static bool rest(struct cof *cof, struct cof_trial_scheduler *d, struct cof_trial *t,
		 uint64_t cpu_ns)
{
	t->cpu_ns += cpu_ns;
	if (cof_trial_verdict_rest(cof, &d->gains, t))
		return true;
	if (cof_trial_budget_may_turn(&d->purse))
		cof_trial_resume(t, cof_random_next(&d->random));
	return false;
}

/* Returns whether there is one that takes turns now. */
static bool tick_all(struct cof *cof, struct cof_trial_scheduler *d,
		     struct cof_tick *slice)
{
	struct cof_trial **at = &d->trials, *t;
	bool active = false;

	while ((t = *at) != NULL) {
		bool over, was_paused = t->paused;

		if (!t->begun) {
			at = &t->next;
			continue;
		}
		over = rests_for_good(cof, d, t);
		if (!over && !t->paused && !was_paused)
			over = t->resting ? rest(cof, d, t, slice->cpu_ns) :
					    tick(cof, d, t, slice);
		active |= !over && !t->paused && !t->resting;
		if (over)
			take_off(at);
		else
			at = &t->next;
	}
	return active;
}

/*
 * Slices are longer while the program idles, and if a look costs too much for
 * them; each a quarter longer or shorter at random, not to beat with it.
 */
static void begin_slice(struct cof *cof, struct cof_trial_scheduler *d, bool idle)
{
	uint64_t least = cof->opts.audit_turn_ms * COF_MS_NS,
		 now = cof_clock_ns();
	uint64_t affordable = (uint64_t)(d->look_ns *
					 COF_TUNE(trial_look_part));

	if (cof->opts.stress)
		least = COF_MS_NS;
	if (least < affordable)
		least = affordable;
	if (idle && d->slice_ns < COF_TUNE(trial_turn_most_ms) * COF_MS_NS)
		d->slice_ns *= 2;
	if (!idle || d->slice_ns < least)
		d->slice_ns = least;
	d->end_ns = now + d->slice_ns *
				  (768 + cof_random_next(&d->random) % 512) /
				  1024;
	d->draining = false;
	d->running = d->trials != NULL;
	d->samples_at = samples_now(cof);
	d->cpu_at = cpu_now(d);
	cof_count_set(&cof->flow->audit.turn_ns, d->slice_ns);
}

static void end_slice(struct cof *cof, struct cof_trial_scheduler *d)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	uint64_t from_ns = cof_clock_thread_ns(), cpu = cpu_now(d), spent_ns;
	uint64_t sites = cof_count_get(&cof->flow->patcher.site_writes);
	struct cof_tick slice = {
		.samples = (double)(samples_now(cof) - d->samples_at),
		.cpu_ns = cpu > d->cpu_at ? cpu - d->cpu_at : 0,
	};

	cof_trial_budget_pass(&d->purse, slice.cpu_ns);
	d->active = tick_all(cof, d, &slice);
	begin_waiting(cof, d);
	cof_barrier(cof);
	cof_count_add(&flow->turns, 1);
	cof_count_set(&flow->program_ns, (uint64_t)d->purse.program_ns);
	cof_count_set(&flow->count_ns, (uint64_t)d->purse.count_ns);
	cof_count_set(&flow->lost_ns, (uint64_t)d->purse.lost_ns);
	sites = cof_count_get(&cof->flow->patcher.site_writes) - sites;
	spent_ns = cof_clock_thread_ns() - from_ns +
		   COF_TUNE(trial_barrier_ns) + COF_TUNE(trial_site_ns) * sites;
	cof_count_add(&flow->audit_ns, spent_ns);
	d->look_ns += ((double)spent_ns - d->look_ns) / 8;
	begin_slice(cof, d,
		    (!d->active &&
		     d->slice_ns < COF_TUNE(trial_rest_ms) * COF_MS_NS) ||
			    slice.cpu_ns <
				    d->slice_ns / COF_TUNE(trial_busy_part));
}

void cof_trial_scheduler_count(struct cof *cof, const struct cof_trial_scheduler *d)
{
	uint64_t n = 0, resting = 0;

	for (const struct cof_trial *t = d->trials; t; t = t->next) {
		n += t->n;
		resting += t->resting ? t->n : 0;
	}
	cof_count_set(&cof->flow->audit.now, n);
	cof_count_set(&cof->flow->audit.pausing, resting);
}

static uint64_t sam_turns(struct cof *cof)
{
	return atomic_load_explicit(&cof->sam_turns,
				    memory_order_acquire);	/* B */
}

void cof_trial_scheduler_turn(struct cof *cof, struct cof_trial_scheduler *d,
		     const struct cof_workers *workers)
{
	uint64_t now;

	cof_assert_role(COF_ROLE_PICKER);
	if (!d->trials)
		return;
	d->workers = workers;
	drop_fallen(cof, d);
	now = cof_clock_ns();
	/* Who pauses or goes on with that is not to wait for the slice's end. */
	if (cof_program_phase_now(cof) != d->phase && d->end_ns > now)
		d->end_ns = now;
	d->phase = cof_program_phase_now(cof);
	if (!d->running) {
		d->active = false;
		begin_waiting(cof, d);
		cof_barrier(cof);
		begin_slice(cof, d, false);
	} else if (!d->draining && now >= d->end_ns && !d->active) {
		end_slice(cof, d);	/* no sample of it counts */
	} else if (!d->draining && now >= d->end_ns) {
		d->draining = true;
		d->drain_ns = now;
		d->sam_turn = sam_turns(cof);
		cof_stage_wake(cof->wake.sampler);
	} else if (d->draining && (sam_turns(cof) != d->sam_turn ||
				   now - d->drain_ns >= DRAIN_MAX_NS ||
				   !cof->sampler)) {
		end_slice(cof, d);
	}
	cof_trial_scheduler_count(cof, d);
}

uint64_t cof_trial_scheduler_due_ns(const struct cof_trial_scheduler *d)
{
	uint64_t now;

	if (!d->trials)
		return UINT64_MAX;
	if (!d->running)
		return 0;
	if (d->draining)
		return DRAIN_NS;
	now = cof_clock_ns();
	return d->end_ns > now ? d->end_ns - now : 0;
}

/* -- On and off ------------------------------------------------------------- */

struct cof_trial *cof_trial_scheduler_trial(struct cof_trial_scheduler *d,
				   const struct cof_version *newer)
{
	struct cof_trial *t = d->trials;

	while (t && (newer->promise.unit == 0 ||
		     t->group != newer->promise.unit || t->begun))
		t = t->next;
	if (t)
		return t;
	t = cof_trial_new(newer->promise.unit);
	if (t) {
		t->phase = newer->phase.id;
		t->next = d->trials;
		d->trials = t;
	}
	return t;
}

void cof_trial_scheduler_remove(struct cof_trial_scheduler *d, const struct cof_trial *trial)
{
	struct cof_trial **at = &d->trials;

	while (*at != trial)
		at = &(*at)->next;
	take_off(at);
}
