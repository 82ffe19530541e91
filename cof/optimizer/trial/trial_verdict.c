/*
 * trial_verdict.c - the verdict, what the host is told, what is learned
 */
#include "optimizer/trial/trial_verdict.h"

#include <math.h>

#include "base/clock.h"
#include "base/log.h"
#include "instance.h"
#include "measure/expected_gain.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/trial/trial.h"
#include "optimizer/trial/trial_known.h"
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

/* The members' mean expected speed-up; 0: no member has one. */
static double expected_of(const struct cof_trial *t)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		if (t->member[i].b->promise.speedup > 0) {
			sum += log(t->member[i].b->promise.speedup);
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

static void put_off(struct cof *cof, struct cof_method *method,
		    enum cof_plan plan)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	uint64_t now = cof_generation_now(cof);
	uint32_t n = method->trial.rollbacks[plan];

	cof_count_add(&flow->rollbacks, 1);
	cof_improved_set(&method->build.improved, COF_IMPROVED_SLOWER);
	if (n < UINT8_MAX)
		method->trial.rollbacks[plan] = (uint8_t)++n;
	if (n >= cof->opts.audit_bans) {
		method->trial.banned_until[plan] = UINT64_MAX;
		cof_count_add(&flow->banned, 1);
		cof_log(cof, "COF: AUDIT banned: %s, plan %d", method->name,
			(int)plan);
	} else {
		method->trial.banned_until[plan] = now +
			((uint64_t)cof->opts.backoff_generations << (n - 1));
	}
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

static bool any_proven(const struct cof_trial *t, const struct cof_measure *now)
{
	bool any = false;

	for (uint32_t i = 0; i < t->n; i++)
		any |= cof_trial_known_is_proven(&t->member[i], now);
	return any;
}

/* Lets later runs know the result. */
static void tell_host(const struct cof_member *m, bool keep_b, double speedup)
{
	const struct cof_host *host = &m->method->cof->host;

	if (host->trial_result && m->b->plan == COF_PLAN_PROFILE)
		host->trial_result(host->ctx, m->method->data, m->b->code.data,
				   keep_b,
				   (unsigned)lround(fmin(speedup, 1000) * 1000),
				   m->a->plan);
}

/* Threads do not leave these members, and would not in the next run either. */
static void tell_unseen(const struct cof_trial *t)
{
	const struct cof_host *host = &t->member[0].method->cof->host;

	for (uint32_t i = 0; i < t->n && host->trial_result; i++) {
		const struct cof_member *m = &t->member[i];

		if (m->b->plan == COF_PLAN_PROFILE &&
		    cof_trial_turns_stuck_in(m))
			host->trial_result(host->ctx, m->method->data,
					   m->b->code.data, COF_TRIAL_UNSEEN, 0,
					   m->a->plan);
	}
}

/* Are they about the same? 0: not measured. */
static bool is_about(double speedup, double other)
{
	if (speedup > 0 && other > 0)
		return fabs(log(speedup / other)) < COF_TUNE(trial_tell_faster);
	return speedup == other;
}

/*
 * Most runs end before the trial does. So the host is told of a B that is
 * likely faster, which means by one standard error, as if it was measured, with
 * the speed-up that is sure: the next run takes it without a trial, and counts
 * on that speed-up. The host is told again when more or less is sure. If B is
 * not likely faster any more, the host is told of it as not measured.
 */
static void tell_so_far(struct cof_trial *t, const struct cof_measure *m)
{
	bool faster = m->known && m->log_time < -m->error;
	double speedup = faster ? believed(m, COF_AUDIT_OPEN) : 0;

	if (is_about(speedup, t->told_speedup) || any_proven(t, m) ||
	    t->evidence.odds.n < COF_TUNE(evidence_blocks))
		return;
	t->told_speedup = speedup;
	for (uint32_t i = 0; i < t->n; i++)
		tell_host(&t->member[i], true, speedup);
}

/* Has this run seen enough? What earlier runs saw decides nothing alone. */
static bool is_seen(const struct cof_trial *t)
{
	return t->evidence.odds.n >= COF_TUNE(evidence_blocks) ||
	       t->evidence.pace.n >= COF_TUNE(evidence_blocks);
}

/*
 * Tells the host what was measured so far, for the next run's trial to go on
 * from there: first when the error is at most trial_tell_error, then each time
 * it is smaller by the factor trial_tell_again.
 */
static void tell_seen(struct cof_trial *t, const struct cof_measure *m)
{
	const struct cof_host *host = &t->member[0].method->cof->host;

	if (!host->trial_progress || !m->known ||
	    m->error > COF_TUNE(trial_tell_error) || !is_seen(t) ||
	    (t->prior.told > 0 &&
	     m->error > COF_TUNE(trial_tell_again) * t->prior.told))
		return;
	t->prior.told = m->error;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cof_member *b = &t->member[i];

		if (b->b->plan == COF_PLAN_PROFILE)
			host->trial_progress(
				host->ctx, b->method->data, b->b->code.data,
				(unsigned)lround(fmin(speedup_of(m), 60) *
						 1000),
				(unsigned)ceil(m->error * 1000), b->a->plan);
	}
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
	double expected = expected_of(t);
	enum cof_plan plan = t->member[0].b->plan;

	cof_log(cof, "COF: AUDIT %s: %s and %u more: expected %.3f, measured "
		"%.3f +- %.3f, share %.0f %%, %.0f %% by entries, %u blocks",
		keep_b ? "kept" : "rolled back", t->member[0].method->name,
		t->n - 1, expected, as_seen, as_seen * m->error,
		100 * m->share, 100 * m->pace_weight, t->evidence.odds.n);
	/* No ratio was applied to what a second profile is expected to gain. */
	if (m->known && expected > 0 && !is_second(t))
		cof_promise_calibration_learn(
			calibration, plan,
			expected / cof_promise_calibration_ratio(calibration,
								 plan),
			as_seen, m->error);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *member = &t->member[i];

		correct_past(cof, member, keep_b, speedup);
		if (keep_b)
			measured(&member->b->trial, state, speedup);
		show(keep_b ? member->b : member->a, state, speedup);
		if (m->known)
			cof_version_set_pace(member->b, member->a, speedup);
		if (m->known && (state != COF_AUDIT_OPEN ||
				 !cof_trial_known_is_proven(member, m)))
			tell_host(member, keep_b, speedup);
		if (!keep_b)
			put_off(cof, member->method, member->b->plan);
	}
	if (keep_b && is_second(t))
		cof_reprofile_budget_learn(
			&cof->reprofile_budget, speedup, m->share *
			(double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID));
	cof_count_add(says, t->n);
	cof_trial_end(t, keep_b);
}

void cof_trial_verdict_give_up(struct cof *cof, const struct cof_trial *t,
			       cof_count *reason)
{
	struct cof_measure m;

	cof_trial_measure(t, &m);
	for (uint32_t i = 0; i < t->n; i++)
		show(t->member[i].b, COF_AUDIT_NONE, 1);
	cof_log(cof, "COF: AUDIT given up: %s and %u more: so far %.3f +- "
		"%.3f, %u blocks in %.1f s",
		t->member[0].method->name, t->n - 1,
		speedup_of(&m), m.known ? speedup_of(&m) * m.error : 1,
		t->evidence.odds.n, (double)t->cpu_ns / 1e9);
	cof_count_add(reason, t->n);
}

static void end_unseen(struct cof *cof, struct cof_trial *t)
{
	tell_unseen(t);
	cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_UNSEEN);
	cof_trial_end(t, true);
}

/* B stays if it did not look slower, or an earlier run found it faster. */
static void decide_unclear(struct cof *cof,
			   struct cof_promise_calibration *calibration,
			   struct cof_trial *t, const struct cof_measure *m)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	bool keep = m->log_time <= COF_TUNE(evidence_equal) || any_proven(t, m);

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

	if (worth && t->cpu_ns < cof->opts.audit_s * UINT64_C(1000000000)) {
		tell_seen(t, m);
		tell_so_far(t, m);
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
