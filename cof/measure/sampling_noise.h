/*
 * sampling_noise.h - how alike two sets of samples are, corrected for noise
 *
 *	overlap   sum over the cells of min(share here, share there)
 *	expected  the overlap of two draws from one distribution
 *	alike     overlap / expected, 1 for such draws on the average
 *
 * In a cell of probability p, the shares in draws of n and m samples differ by
 * a nearly normal variable of variance p (1 - p) v, with v = 1/n + 1/m. The
 * overlap loses half of the difference, on the average
 *
 *	1/2 sqrt(2/pi) sqrt(p (1 - p) v)
 *
 * Pure.
 */
#pragma once

/* What noise takes from the overlap in a cell of share p. `v`: 1/n + 1/m. */
double cof_sampling_noise_loss(double p, double v);

/* The overlap over its expected value; `lost` is the sum of losses. It may be
 * more than 1. */
double cof_sampling_noise_correct(double overlap, double lost);
