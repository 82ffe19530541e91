/*
 * gain.c - see gain.h
 */
#include "optimizer/gain.h"

#include <math.h>

void cof_gains_learn(struct cof_gains *gains, enum cof_plan plan,
		     double promised, double measured, double error)
{
	double w = 1 / (error * error + COF_GAIN_SPREAD * COF_GAIN_SPREAD);
	double log_ratio = log(measured) - log(promised);

	if (!(promised > 0) || !(measured > 0) || !(w > 0))
		return;
	gains->sum[plan] *= COF_GAIN_DECAY;
	gains->weight[plan] *= COF_GAIN_DECAY;
	gains->sum[plan] += w * fmax(log_ratio, -COF_GAIN_WORST);
	gains->weight[plan] += w;
}

double cof_gains_ratio(const struct cof_gains *gains, enum cof_plan plan)
{
	double prior = 1 / (COF_GAIN_PRIOR * COF_GAIN_PRIOR +
			    COF_GAIN_SPREAD * COF_GAIN_SPREAD);

	double weight = gains->weight[plan] + prior;
	double log_ratio = gains->sum[plan] / weight;

	if (log_ratio < 0)
		log_ratio = fmin(log_ratio + COF_GAIN_HOPE / sqrt(weight), 0);
	return exp(log_ratio);
}
