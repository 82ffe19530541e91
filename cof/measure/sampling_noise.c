/*
 * sampling_noise.c - the expected overlap of two draws; see sampling_noise.h
 */
#include "measure/sampling_noise.h"

#include <math.h>

#include "options/tuning.h"

#define HALF_MEAN 0.39894228	/* sqrt(2/pi)/2 */

double cof_sampling_noise_loss(double p, double v)
{
	p = fmin(fmax(p, 0), 1);	/* it may have been rounded beyond */
	return HALF_MEAN * sqrt(p * (1 - p) * v);
}

double cof_sampling_noise_correct(double overlap, double lost)
{
	return overlap / fmax(1 - lost, COF_TUNE(noise_expected_least));
}
