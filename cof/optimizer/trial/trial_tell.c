/*
 * trial_tell.c - see trial_tell.h
 */
#include "optimizer/trial/trial_tell.h"

#include <math.h>

#include "instance.h"
#include "measure/expected_gain.h"
#include "optimizer/trial/trial.h"
#include "optimizer/trial/trial_known.h"
#include "optimizer/trial/trial_turns.h"
#include "options/tuning.h"

/* Lets later runs know the result. */
void cof_trial_tell_result(const struct cof_member *m, bool keep_b,
			   double speedup)
{
	const struct cof_host *host = &m->method->cof->host;

	if (host->trial_result && m->b->plan == COF_PLAN_PROFILE)
		host->trial_result(host->ctx, m->method->data, m->b->code.data,
				   keep_b,
				   (unsigned)lround(fmin(speedup, 1000) * 1000),
				   m->a->plan);
}

/* Threads do not leave these members, and would not in the next run either. */
void cof_trial_tell_unseen(const struct cof_trial *t)
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
void cof_trial_tell_so_far(struct cof_trial *t, const struct cof_measure *m)
{
	bool faster = m->known && m->log_time < -m->error;
	double speedup = faster ? 1 + cof_expected_gain_permille(m) / 1000.0 :
				  0;

	if (is_about(speedup, t->told_speedup) ||
	    cof_trial_known_any_proven(t, m) ||
	    t->evidence.odds.n < COF_TUNE(evidence_blocks))
		return;
	t->told_speedup = speedup;
	for (uint32_t i = 0; i < t->n; i++)
		cof_trial_tell_result(&t->member[i], true, speedup);
}

/*
 * Tells the host what was measured so far, for the next run's trial to go on
 * from there: first when the error is at most trial_tell_error, then each time
 * it is smaller by the factor trial_tell_again.
 */
void cof_trial_tell_seen(struct cof_trial *t, const struct cof_measure *m)
{
	const struct cof_host *host = &t->member[0].method->cof->host;

	if (!host->trial_progress || !m->known ||
	    m->error > COF_TUNE(trial_tell_error) ||
	    (t->prior.told > 0 &&
	     m->error > COF_TUNE(trial_tell_again) * t->prior.told))
		return;
	t->prior.told = m->error;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cof_member *b = &t->member[i];

		if (b->b->plan == COF_PLAN_PROFILE)
			host->trial_progress(
				host->ctx, b->method->data, b->b->code.data,
				(unsigned)lround(fmin(exp(-m->log_time), 60) *
						 1000),
				(unsigned)ceil(m->error * 1000), b->a->plan);
	}
}
