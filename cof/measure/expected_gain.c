/*
 * expected_gain.c - shrink a measured gain by its error; see expected_gain.h
 */
#include "measure/expected_gain.h"

#include <math.h>

#include "options/tuning.h"

double cof_expected_gain_promise(double promised)
{
	double believed = promised * exp(-COF_TUNE(promise_spread));

	return believed > 1 ? believed : 1;
}

double cof_expected_gain_weight(const struct cof_measure *m)
{
	double error = m->error / COF_TUNE(promise_spread);

	return m->known ? 1 / (1 + error * error) : 0;
}

int32_t cof_expected_gain_permille(const struct cof_measure *m)
{
	double gain = exp(-cof_expected_gain_weight(m) * m->log_time) - 1;

	return (int32_t)lround(fmin(gain, 1e5) * 1000);
}

/* The formulas of expected_gain.h, solved for the measured gain and its
 * error. */
bool cof_expected_gain_likely(int32_t permille, uint32_t weight)
{
	double w = weight / 1000.0;

	if (permille <= 0 || weight == 0 || weight > 1000)
		return false;
	return log1p(permille / 1000.0) / w >
	       COF_TUNE(promise_spread) * sqrt(1 / w - 1);
}
