/*
 * trial_scheduler.c - the clock of all trials
 *
 *	a slice --> P/O wakes SAM --> SAM has turned --> look, decide, switch,
 *	   ^        to drain          (A - B)            one barrier
 *	   +-------------------------------------------------+
 *
 * All trials share the slices. Each trial draws its turns by itself, so that
 * what the others do to it is noise that the draw evens out. A slice ends when
 * SAM has credited the samples that were taken in it.
 *
 * Ordering: SAM counts its turn with a release (A: instance.h's C), and P/O
 * reads it here with an acquire (B). So P/O, if it sees the turn, sees the
 * samples that SAM credited in it.
 */
#include "optimizer/trial/trial_scheduler.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/role.h"
#include "base/units.h"
#include "instance.h"
#include "optimizer/build/worker.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/trial/trial_turns.h"
#include "optimizer/trial/trial_verdict.h"
#include "options/tuning.h"
#include "process/barrier.h"
#include "process/stage.h"

#define DRAIN_NS     COF_MS_NS		/* between looks whether SAM turned */
#define DRAIN_MAX_NS (200 * COF_MS_NS)	/* SAM hangs: go on without */

static uint64_t samples_now(const struct cof *cof)
{
	const struct cof_flow_sampler *flow = &cof->flow->sampler;

	return cof_count_get(&flow->counted) +
	       cof_count_get(&flow->drop_NATIVE) +
	       cof_count_get(&flow->drop_DEAD);
}

/* CPU time of the process without that of builds. */
static uint64_t cpu_now(const struct cof_trial_scheduler *s)
{
	uint64_t all = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t builds = s->workers ? cof_workers_cpu_ns(s->workers) : 0;

	return all > builds ? all - builds : 0;
}

static void remove_at(struct cof_trial **at)
{
	struct cof_trial *t = *at;

	*at = t->next;
	cof_trial_free(t);
}

/* Pauses the trial while the program is in another phase than the trial's.
 * Returns whether the trial is over: its phase has not come back for too
 * long. */
static bool follow_phase(struct cof *cof, struct cof_trial_scheduler *s,
			 struct cof_trial *t)
{
	bool elsewhere = cof_phase_reuse_elsewhere(cof, t->phase);

	if (elsewhere && !t->paused) {
		cof_trial_pause(t);
		t->paused_at = cof_generation_now(cof);
	} else if (!elsewhere && t->paused) {
		cof_trial_resume(t, cof_random_next(&s->random));
	}
	if (!t->paused ||
	    cof_generation_now(cof) - t->paused_at < COF_TUNE(trial_pause_most))
		return false;
	cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_ELSEWHERE);
	cof_trial_end(t, cof_trial_prefers_b(t));
	return true;
}

/* The other members of its unit have what looks better, whatever turn it is. */
static void leave_by_evidence(struct cof_trial *t)
{
	struct cof_measure m;

	cof_trial_measure(t, &m);
	if (t->begun)
		cof_trial_turns_turn(t,
				     m.log_time <= COF_TUNE(evidence_equal));
	cof_trial_leave(t, NULL);
}

/*
 * Drops trials of which the host replaced a version. P/O does so in each turn
 * and not only at a slice's end: reclaim frees the record of a replaced version
 * after some turns of P/O's, and from then on nobody may touch it.
 */
static void drop_replaced(struct cof *cof, struct cof_trial_scheduler *s)
{
	struct cof_trial **at = &s->trials, *t;

	while ((t = *at) != NULL) {
		if (cof_trial_stands(cof, t)) {
			at = &t->next;
			continue;
		}
		cof_trial_verdict_give_up(cof, t,
					  &cof->flow->audit.drop_REPLACED);
		leave_by_evidence(t);
		remove_at(at);
	}
}

static void begin_waiting(struct cof *cof, struct cof_trial_scheduler *s)
{
	struct cof_trial **at = &s->trials, *t;

	while ((t = *at) != NULL) {
		if (t->begun || cof_generation_now(cof) < t->not_before) {
			at = &t->next;
			continue;
		}
		if (!cof_trial_begin(cof, t, cof_random_next(&s->random))) {
			cof_trial_verdict_give_up(
				cof, t, &cof->flow->audit.drop_NO_ROOM);
			cof_trial_end(t, true);
			remove_at(at);
		} else {
			follow_phase(cof, s, t);
			s->active |= !t->paused;
			at = &t->next;
		}
	}
}

/* A slice of the trial has ended. Returns whether the trial is over. */
static bool tick(struct cof *cof, struct cof_trial_scheduler *s,
		 struct cof_trial *t, struct cof_tick *tick)
{
	/* Threads that run at once, and not such as sleep. */
	bool many = (double)tick->cpu_ns >
		    (double)tick->wall_ns * COF_TUNE(trial_at_once);
	struct cof_toll toll;
	bool block;

	tick->affordable = cof_trial_budget_affords(&s->budget, tick->cpu_ns,
						    many);
	tick->may_count = cof_trial_budget_may_count(&s->budget);
	tick->random = cof_random_next(&s->random);
	block = cof_trial_turns_tick(t, tick, &toll);
	t->cost_ns += cof_trial_budget_count(&s->budget, toll.entries, many);
	cof_trial_budget_lose(&s->budget, toll.lost_ns);
	if (!block)
		return false;
	cof_evidence_checkpoint_note(&t->checkpoint, &t->evidence,
				     cof_count_get(&cof->flow->phase.windows));
	if (cof_trial_verdict_block(cof, &s->calibration, t,
				    cof_random_next(&s->random)))
		return true;
	if (!cof_trial_budget_may_turn(&s->budget))
		cof_trial_rest(t);
	return false;
}

/* A slice has ended in which the trial rested. Returns whether the trial is
 * over. */
static bool rest(struct cof *cof, struct cof_trial_scheduler *s,
		 struct cof_trial *t, const struct cof_tick *slice)
{
	t->busy_ns += cof_trial_turns_busy_ns(slice);
	if (cof_trial_verdict_rest(cof, &s->calibration, t))
		return true;
	if (cof_trial_budget_may_turn(&s->budget))
		cof_trial_resume(t, cof_random_next(&s->random));
	return false;
}

/* Returns whether any trial takes turns now. */
static bool tick_all(struct cof *cof, struct cof_trial_scheduler *s,
		     struct cof_tick *slice)
{
	struct cof_trial **at = &s->trials, *t;
	bool active = false;

	while ((t = *at) != NULL) {
		bool over, was_paused = t->paused;

		if (!t->begun) {
			at = &t->next;
			continue;
		}
		over = follow_phase(cof, s, t);
		if (!over && !t->paused && !was_paused)
			over = t->resting ? rest(cof, s, t, slice) :
					    tick(cof, s, t, slice);
		active |= !over && !t->paused && !t->resting;
		if (over)
			remove_at(at);
		else
			at = &t->next;
	}
	return active;
}

/*
 * Slices are longer while the program idles, and while a slice's end costs too
 * much for shorter ones. The length of each varies at random, by up to a
 * quarter, lest slices beat with the program's own rhythm.
 */
static void begin_slice(struct cof *cof, struct cof_trial_scheduler *s,
			bool idle)
{
	uint64_t least = cof->opts.audit_turn_ms * COF_MS_NS,
		 now = cof_clock_ns();
	uint64_t affordable = (uint64_t)(s->look_ns *
					 COF_TUNE(trial_look_part));

	if (cof->opts.stress)
		least = COF_MS_NS;
	if (least < affordable)
		least = affordable;
	if (idle && s->slice_ns < COF_TUNE(trial_turn_most_ms) * COF_MS_NS)
		s->slice_ns *= 2;
	if (!idle || s->slice_ns < least)
		s->slice_ns = least;
	s->end_ns = now + s->slice_ns *
				  (768 + cof_random_next(&s->random) % 512) /
				  1024;
	s->began_ns = now;
	s->draining = false;
	s->running = s->trials != NULL;
	s->samples_at = samples_now(cof);
	s->cpu_at = cpu_now(s);
	cof_count_set(&cof->flow->audit.turn_ns, s->slice_ns);
}

static void end_slice(struct cof *cof, struct cof_trial_scheduler *s)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	uint64_t from_ns = cof_clock_thread_ns(), cpu = cpu_now(s), spent_ns;
	uint64_t sites = cof_count_get(&cof->flow->patcher.site_writes);
	struct cof_tick slice = {
		.samples = (double)(samples_now(cof) - s->samples_at),
		.cpu_ns = cpu > s->cpu_at ? cpu - s->cpu_at : 0,
		.wall_ns = cof_clock_ns() - s->began_ns,
	};

	cof_trial_budget_pass(&s->budget, slice.cpu_ns);
	s->active = tick_all(cof, s, &slice);
	begin_waiting(cof, s);
	cof_barrier(cof);
	cof_count_add(&flow->turns, 1);
	cof_count_set(&flow->program_ns, (uint64_t)s->budget.program_ns);
	cof_count_set(&flow->count_ns, (uint64_t)s->budget.count_ns);
	cof_count_set(&flow->lost_ns, (uint64_t)s->budget.lost_ns);
	sites = cof_count_get(&cof->flow->patcher.site_writes) - sites;
	spent_ns = cof_clock_thread_ns() - from_ns +
		   COF_TUNE(trial_barrier_ns) + COF_TUNE(trial_site_ns) * sites;
	cof_count_add(&flow->audit_ns, spent_ns);
	s->look_ns += ((double)spent_ns - s->look_ns) / 8;
	begin_slice(cof, s,
		    (!s->active &&
		     s->slice_ns < COF_TUNE(trial_rest_ms) * COF_MS_NS) ||
			    slice.cpu_ns <
				    s->slice_ns / COF_TUNE(trial_busy_part));
}

void cof_trial_scheduler_count(struct cof *cof,
			       const struct cof_trial_scheduler *s)
{
	uint64_t n = 0, resting = 0;

	for (const struct cof_trial *t = s->trials; t; t = t->next) {
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

/* Has SAM emptied the rings since, or is it too late to wait for it? */
static bool is_drained(struct cof *cof, const struct cof_trial_scheduler *s,
		       uint64_t now)
{
	return sam_turns(cof) != s->sam_turn ||
	       now - s->drain_ns >= DRAIN_MAX_NS || !cof->sampler;
}

void cof_trial_scheduler_turn(struct cof *cof, struct cof_trial_scheduler *s,
			      const struct cof_workers *workers)
{
	uint64_t now;

	cof_assert_role(COF_ROLE_PICKER);
	if (!s->trials)
		return;
	s->workers = workers;
	drop_replaced(cof, s);
	now = cof_clock_ns();
	/* In a new phase trials pause or go on: end the slice early. */
	if (cof_program_phase_now(cof) != s->phase && s->end_ns > now)
		s->end_ns = now;
	s->phase = cof_program_phase_now(cof);
	if (!s->running) {
		s->active = false;
		begin_waiting(cof, s);
		cof_barrier(cof);
		begin_slice(cof, s, false);
	} else if (s->draining ? is_drained(cof, s, now) :
				 now >= s->end_ns && !s->active) {
		end_slice(cof, s);	/* not active: no trial needs samples */
	} else if (!s->draining && now >= s->end_ns) {
		s->draining = true;
		s->drain_ns = now;
		s->sam_turn = sam_turns(cof);
		cof_stage_wake(cof->wake.sampler);
	}
	cof_trial_scheduler_count(cof, s);
}

uint64_t cof_trial_scheduler_due_ns(const struct cof_trial_scheduler *s)
{
	uint64_t now;

	if (!s->trials)
		return UINT64_MAX;
	if (!s->running)
		return 0;
	if (s->draining)
		return DRAIN_NS;
	now = cof_clock_ns();
	return s->end_ns > now ? s->end_ns - now : 0;
}

/* -- Trials come and go ---------------------------------------------------- */

struct cof_trial *cof_trial_scheduler_trial(struct cof_trial_scheduler *s,
					    const struct cof_version *newer)
{
	struct cof_trial *t = s->trials;

	while (t && (newer->promise.unit == 0 ||
		     t->unit != newer->promise.unit || t->begun))
		t = t->next;
	if (t)
		return t;
	t = cof_trial_new(newer->promise.unit);
	if (t) {
		t->phase = newer->phase.id;
		t->next = s->trials;
		s->trials = t;
	}
	return t;
}

void cof_trial_scheduler_remove(struct cof_trial_scheduler *s,
				const struct cof_trial *trial)
{
	struct cof_trial **at = &s->trials;

	while (*at != trial)
		at = &(*at)->next;
	remove_at(at);
}
