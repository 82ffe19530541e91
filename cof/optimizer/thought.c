/*
 * thought.c - see thought.h
 */
#include "optimizer/thought.h"

#include <math.h>

#define PRIOR_ERROR 0.2

int32_t cof_thought_permille(double promised, const struct cof_measure *m)
{
	double believed = promised > 1 ? 1 + (promised - 1) / 2 : 1;
	double error = m->error / PRIOR_ERROR;
	double weight = m->known ? 1 / (1 + error * error) : 0;
	double gain = exp((1 - weight) * log(believed) -
			  weight * m->log_time) - 1;

	return (int32_t)lround(fmin(gain, 1e5) * 1000);
}
