/*
 * gain.c - see gain.h
 */
#include "optimizer/gain.h"

#include <math.h>

void cof_gains_learn(struct cof_gains *gains, enum cof_plan plan,
		     double promised, double measured, double error)
{
	double w = 1 / (error * error + COF_GAIN_SPREAD * COF_GAIN_SPREAD);

	if (!(promised > 0) || !(measured > 0) || !(w > 0))
		return;
	gains->sum[plan] *= COF_GAIN_DECAY;
	gains->weight[plan] *= COF_GAIN_DECAY;
	gains->sum[plan] += w * (log(measured) - log(promised));
	gains->weight[plan] += w;
}

double cof_gains_ratio(const struct cof_gains *gains, enum cof_plan plan)
{
	double prior = 1 / (COF_GAIN_PRIOR * COF_GAIN_PRIOR +
			    COF_GAIN_SPREAD * COF_GAIN_SPREAD);

	return exp(gains->sum[plan] / (gains->weight[plan] + prior));
}
