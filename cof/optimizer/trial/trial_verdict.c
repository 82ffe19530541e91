/*
 * trial_verdict.c - the verdict, what the host is told, what is learned
 */
#include "optimizer/trial/trial_verdict.h"

#include <math.h>

#include "base/clock.h"
#include "base/log.h"
#include "instance.h"
#include "measure/expected_gain.h"
#include "optimizer/facts/rollback.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/trial/trial.h"
#include "optimizer/trial/trial_known.h"
#include "optimizer/trial/trial_tell.h"
#include "optimizer/trial/trial_turns.h"
#include "options/tuning.h"

static double speedup_of(const struct cof_measure *m)
{
	return m->known ? exp(-m->log_time) : 1;
}

/* The speed-up to believe: an unclear one only as far as it is sure. */
static double believed(const struct cof_measure *m, enum cof_audit_state state)
{
	if (state != COF_AUDIT_OPEN)
		return speedup_of(m);
	return 1 + cof_expected_gain_permille(m) / 1000.0;
}

/* The members' mean, of those that have something expected of them; 0: none
 * has. `by_host`: as the host promised it, before any correction. */
static double expected_of(const struct cof_trial *t, bool by_host)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct cof_version_promise *p = &t->member[i].b->promise;
		double speedup = by_host ? p->promised : p->speedup;

		if (speedup > 0) {
			sum += log(speedup);
			n++;
		}
	}
	return n > 0 ? exp(sum / n) : 0;
}

/* past_ns holds the time in former versions as the current one would take
 * it. */
static void correct_past(struct cof *cof, const struct cof_member *m,
			 bool keep_b, double speedup)
{
	double period_ns = (double)cof_sampled_time_period_ns(cof);
	double past_ns = m->method->build.past_ns;

	if (!(m->b->promise.speedup > 0))
		return;
	past_ns *= m->b->promise.speedup;
	if (keep_b)
		past_ns /= speedup;
	else	/* A is current, so its own samples count beside past_ns */
		past_ns -= period_ns * (double)m->a_samples;
	m->method->build.past_ns = past_ns > 0 ? past_ns : 0;
}

static void show(struct cof_version *v, enum cof_audit_state state,
		 double speedup)
{
	atomic_store_explicit(&v->trial.gain_permille,
			      (int32_t)lround((fmin(speedup, 1e6) - 1) * 1000),
			      memory_order_relaxed);
	atomic_store_explicit(&v->trial.state, (uint32_t)state,
			      memory_order_relaxed);
}

/* B stays. If that is unclear, it counts as no slower than A. */
static void measured(struct cof_version_trial *b, enum cof_audit_state state,
		     double speedup)
{
	double gain = state == COF_AUDIT_OPEN && speedup < 1 ? 1 : speedup;

	cof_trial_speed_store(&b->speed_permille,
			      cof_trial_speed_before(b) * gain);
}

/* This run tried B again, and found nothing that is clear. */
static void show_proven(struct cof_version *b)
{
	double speedup = b->promise.proven_permille / 1000.0;

	measured(&b->trial, COF_AUDIT_PROVEN, speedup);
	show(b, COF_AUDIT_PROVEN, speedup);
}

/* Has this run seen enough? What earlier runs saw decides nothing alone. */
static bool is_seen(const struct cof_trial *t)
{
	return t->evidence.odds.n >= COF_TUNE(evidence_blocks) ||
	       t->evidence.pace.n >= COF_TUNE(evidence_blocks);
}

/* Are all A's and B's built with profiles? Then B's profile is a second one. */
static bool is_second(const struct cof_trial *t)
{
	bool second = true;

	for (uint32_t i = 0; i < t->n; i++)
		second &= t->member[i].a->plan == COF_PLAN_PROFILE &&
			  t->member[i].b->plan == COF_PLAN_PROFILE;
	return second;
}

/* Ends the trial. `says` is the counter of the verdict, one for each member. */
static void decide(struct cof *cof, struct cof_promise_calibration *calibration,
		   struct cof_trial *t, bool keep_b, cof_count *says,
		   enum cof_audit_state state, const struct cof_measure *m)
{
	double as_seen = speedup_of(m), speedup = believed(m, state);
	double expected = expected_of(t, false);
	double promised = expected_of(t, true);
	enum cof_plan plan = t->member[0].b->plan;

	cof_log(cof, "COF: AUDIT: %s and %u more %s: expected %.3f, measured "
		"%.3f +- %.3f, share %.0f %%, %.0f %% by entries, %u blocks",
		t->member[0].method->name, t->n - 1,
		keep_b ? "stay" : "are rolled back",
		expected, as_seen, as_seen * m->error,
		100 * m->share, 100 * m->pace_weight, t->evidence.odds.n);
	/* What a second profile is expected to gain no host has promised. */
	if (m->known && promised > 0 && !is_second(t))
		cof_promise_calibration_learn(calibration, plan, promised,
					      as_seen, m->error);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *member = &t->member[i];

		correct_past(cof, member, keep_b, speedup);
		if (keep_b && state == COF_AUDIT_OPEN &&
		    cof_trial_known_is_proven(member, m)) {
			show_proven(member->b);
		} else {
			if (keep_b)
				measured(&member->b->trial, state, speedup);
			show(keep_b ? member->b : member->a, state, speedup);
		}
		if (m->known)
			cof_version_set_pace(member->b, member->a, speedup);
		if (m->known && (state != COF_AUDIT_OPEN ||
				 !cof_trial_known_is_proven(member, m)))
			cof_trial_tell_result(member, keep_b, speedup);
		if (!keep_b)
			cof_rollback_note(cof, member->method, member->b->plan);
	}
	if (keep_b && is_second(t))
		cof_reprofile_budget_learn(
			&cof->reprofile_budget, speedup, m->share *
			(double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID));
	if (keep_b && state != COF_AUDIT_OPEN)
		cof_unproven_budget_learn(&cof->unproven, speedup,
					  m->share);
	cof_count_add(says, t->n);
	cof_trial_end(t, keep_b);
}

void cof_trial_verdict_give_up(struct cof *cof, const struct cof_trial *t,
			       cof_count *reason)
{
	struct cof_measure m;

	cof_trial_measure(t, &m);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *member = &t->member[i];

		if (cof_trial_known_is_proven(member, &m))
			show_proven(member->b);
		else
			show(member->b, COF_AUDIT_NONE, 1);
	}
	cof_log(cof, "COF: AUDIT: the trial of %s and %u more is given up: so "
		"far %.3f +- %.3f, %u blocks in %.1f s",
		t->member[0].method->name, t->n - 1,
		speedup_of(&m), m.known ? speedup_of(&m) * m.error : 1,
		t->evidence.odds.n, (double)t->busy_ns / 1e9);
	cof_count_add(reason, t->n);
}

static void end_unseen(struct cof *cof, struct cof_trial *t)
{
	cof_trial_tell_unseen(t);
	cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_UNSEEN);
	cof_trial_end(t, true);
}

/* B stays if it did not look slower, or an earlier run found it faster. */
static void decide_unclear(struct cof *cof,
			   struct cof_promise_calibration *calibration,
			   struct cof_trial *t, const struct cof_measure *m)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	bool keep = m->log_time <= COF_TUNE(evidence_equal) ||
		    cof_trial_known_any_proven(t, m);

	decide(cof, calibration, t, keep,
	       keep ? &flow->unclear_kept : &flow->unclear_back, COF_AUDIT_OPEN,
	       m);
}

/*
 * The most that B may plausibly gain if the program takes as much time again as
 * it has so far. One sample more inside makes up for having seen few.
 */
static double worth_ns(const struct cof_trial *t)
{
	const struct cof_slice *a = &t->evidence.a, *b = &t->evidence.b;
	double inside = a->inside + b->inside + 1;
	double future_ns = (double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);

	return COF_TUNE(trial_plausible) *
	       fmax(future_ns, COF_TUNE(trial_future_s) * 1e9) * inside /
	       (inside + a->outside + b->outside);
}

/* There is no finding yet. Ends the trial if it lasted too long, or is not
 * worth its cost. Returns whether it is over. */
static bool end_if_due(struct cof *cof,
		       struct cof_promise_calibration *calibration,
		       struct cof_trial *t, const struct cof_measure *m)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	bool worth = t->cost_ns <= worth_ns(t);

	if (worth && t->busy_ns < cof->opts.audit_s * UINT64_C(1000000000)) {
		if (is_seen(t))
			cof_trial_tell_seen(t, m);
		cof_trial_tell_so_far(t, m);
		return false;
	}
	if (!worth)
		cof_count_add(&flow->not_worth, t->n);
	if (!m->known || cof_trial_is_blind(t)) {
		cof_trial_verdict_give_up(cof, t, &flow->drop_UNSEEN);
		cof_trial_end(t, true);
	} else {
		decide_unclear(cof, calibration, t, m);
	}
	return true;
}

/* Option stress: any verdict, at any time. */
static bool decide_at_random(struct cof *cof,
			     struct cof_promise_calibration *calibration,
			     struct cof_trial *t, uint64_t r)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	struct cof_measure m = { 0 };

	if (r % 3)
		return false;
	if (r >> 32 & 1)
		decide(cof, calibration, t, true, &flow->kept, COF_AUDIT_KEPT,
		       &m);
	else
		decide(cof, calibration, t, false, &flow->rolled_back,
		       COF_AUDIT_BACK, &m);
	return true;
}

bool cof_trial_verdict_block(struct cof *cof,
			     struct cof_promise_calibration *calibration,
			     struct cof_trial *t, uint64_t random)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	double error = cof->opts.audit_error / 1000.0;
	enum cof_finding finding;
	struct cof_measure m;

	if (cof->opts.stress)
		return decide_at_random(cof, calibration, t, random);
	if (cof_trial_turns_elsewhere(t)) {
		end_unseen(cof, t);
		return true;
	}
	cof_trial_measure(t, &m);
	finding = is_seen(t) ? cof_measure_find(&m, error) : COF_FINDING_OPEN;
	if (finding == COF_FINDING_FASTER) {
		decide(cof, calibration, t, true, &flow->kept, COF_AUDIT_KEPT,
		       &m);
	} else if (finding == COF_FINDING_SLOWER) {
		decide(cof, calibration, t, false, &flow->rolled_back,
		       COF_AUDIT_BACK, &m);
	} else if (cof_trial_turns_stuck(t)) {
		end_unseen(cof, t);
	} else if (finding == COF_FINDING_EQUAL) {
		decide_unclear(cof, calibration, t, &m);
	} else {
		return end_if_due(cof, calibration, t, &m);
	}
	return true;
}

bool cof_trial_verdict_rest(struct cof *cof,
			    struct cof_promise_calibration *calibration,
			    struct cof_trial *t)
{
	struct cof_measure m;

	cof_trial_measure(t, &m);
	return end_if_due(cof, calibration, t, &m);
}
