/*
 * promise_calibration.c - weighted means; see promise_calibration.h
 */
#include "measure/promise_calibration.h"

#include <math.h>

#include "options/tuning.h"

/* Of a trial with this error. */
static double weight_of(double error)
{
	return 1 / (error * error +
		    COF_TUNE(promise_spread) * COF_TUNE(promise_spread));
}

void cof_promise_calibration_learn(struct cof_promise_calibration *calibration,
				   enum cof_plan plan, double promised,
				   double measured, double error)
{
	double w = weight_of(error);
	double log_ratio = log(measured) - log(promised);

	if (!(promised > 0) || !(measured > 0) || !(w > 0))
		return;
	calibration->sum[plan] *= COF_TUNE(promise_keep);
	calibration->weight[plan] *= COF_TUNE(promise_keep);
	calibration->sum[plan] +=
		w * fmax(log_ratio, -COF_TUNE(promise_worst));
	calibration->weight[plan] += w;
}

double
cof_promise_calibration_ratio(const struct cof_promise_calibration *calibration,
			      enum cof_plan plan)
{
	double weight = calibration->weight[plan] +
			weight_of(COF_TUNE(promise_spread));
	double log_ratio = calibration->sum[plan] / weight;

	if (log_ratio < 0)
		log_ratio = fmin(log_ratio +
				 COF_TUNE(promise_hope) / sqrt(weight), 0);
	return exp(log_ratio);
}
