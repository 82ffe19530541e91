/*
 * promise_calibration.h - what plans really gained, against what was promised
 *
 * Per plan: the mean over trials of log(measured speed-up) - log(promised). A
 * trial's weight follows from its error, and each trial makes those before
 * count for less, so the mean follows the program. The host is believed about a
 * plan with few trials: the mean starts with one trial that gave what was
 * promised, measured as exactly as methods differ.
 *
 *	ratio = exp(sum of w (log measured - log promised) / (sum of w + prior))
 *	w     = 1 / (error^2 + promise_spread^2)
 *
 * A plan that is not used any more is not measured any more. So the first bad
 * trial must not end it for all methods: no trial counts for worse than
 * promise_worst, and a ratio below 1 is raised by promise_hope standard errors,
 * up to 1.
 *
 * promise_spread is how much methods differ: even an exact measurement of one
 * says no more than that about the next.
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include "cof.h"

struct cof_promise_calibration {
	double sum[COF_PLAN_COUNT];	/* of w times the difference of logs */
	double weight[COF_PLAN_COUNT];	/* of w */
};

/*
 * A version with `plan` ran `measured` times as fast as the one before; the
 * host promised `promised` times. error: standard error of log(measured).
 */
void cof_promise_calibration_learn(struct cof_promise_calibration *calibration,
				   enum cof_plan plan, double promised,
				   double measured, double error);

/* Measured over promised; 1 until something was learned. */
double
cof_promise_calibration_ratio(const struct cof_promise_calibration *calibration,
			      enum cof_plan plan);
