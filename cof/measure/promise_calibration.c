/*
 * promise_calibration.c - see promise_calibration.h
 */
#include "measure/promise_calibration.h"

#include <math.h>

#include "options/tuning.h"

void cof_promise_calibration_learn(struct cof_promise_calibration *gains, enum cof_plan plan,
		     double promised, double measured, double error)
{
	double w = 1 / (error * error +
			COF_TUNE(promise_spread) * COF_TUNE(promise_spread));
	double log_ratio = log(measured) - log(promised);

	if (!(promised > 0) || !(measured > 0) || !(w > 0))
		return;
	gains->sum[plan] *= COF_TUNE(promise_keep);
	gains->weight[plan] *= COF_TUNE(promise_keep);
	gains->sum[plan] += w * fmax(log_ratio, -COF_TUNE(promise_worst));
	gains->weight[plan] += w;
}

double cof_promise_calibration_ratio(const struct cof_promise_calibration *gains, enum cof_plan plan)
{
	double prior = 1 /
		       (COF_TUNE(promise_prior) * COF_TUNE(promise_prior) +
			COF_TUNE(promise_spread) * COF_TUNE(promise_spread));

	double weight = gains->weight[plan] + prior;
	double log_ratio = gains->sum[plan] / weight;

	if (log_ratio < 0)
		log_ratio = fmin(log_ratio +
					 COF_TUNE(promise_hope) / sqrt(weight),
				 0);
	return exp(log_ratio);
}
