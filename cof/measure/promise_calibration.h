/*
 * promise_calibration.h - what plans really gained, against what was promised
 *
 * Per plan: the mean of log(measured speed-up) less that of log(promised), each
 * trial weighed by how exactly it was measured, and each making those before
 * count for less, so that it follows the program. A plan of which little is
 * known is believed: the mean starts out as that of one trial that gave what was
 * promised, measured as inexactly as promise_prior.
 *
 *	ratio = exp(sum of w (log measured - log promised) / (sum of w + prior))
 *	w     = 1 / (error^2 + promise_spread^2)
 *
 * A plan that no method is built with any more is measured no more, so the first
 * that disappoints must not end it for all: no trial counts for worse than
 * promise_worst, and what is below 1 is raised by promise_hope standard errors,
 * up to 1.
 *
 * promise_spread is how much methods differ: one that was measured exactly
 * says no more than that about the next.
 *
 * Pure. Owner: P/O.
 */
#ifndef COF_MEASURE_PROMISE_CALIBRATION_H
#define COF_MEASURE_PROMISE_CALIBRATION_H

#include "cof.h"

struct cof_promise_calibration {
	double sum[COF_PLAN_COUNT];	/* of w times the difference of logs */
	double weight[COF_PLAN_COUNT];	/* of w */
};

/*
 * A version with `plan` ran `measured` times as fast as the one before, when
 * `promised` was promised. error: standard error of log(measured).
 */
void   cof_promise_calibration_learn(struct cof_promise_calibration *gains, enum cof_plan plan,
		       double promised, double measured, double error);

/* Measured over promised; 1 until something was learned. */
double cof_promise_calibration_ratio(const struct cof_promise_calibration *gains, enum cof_plan plan);

#endif /* COF_MEASURE_PROMISE_CALIBRATION_H */
