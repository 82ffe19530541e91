/*
 * sampling_noise.h - how alike are two samples, but for their noise?
 *
 *	overlap   sum over the cells of min(share here, share there)
 *	expected  what it would be for two draws from one distribution
 *	alike     overlap / expected, 1 for such draws on the average
 *
 * The shares a and b of one cell of probability p, of samples of n and m, differ
 * by about a normal variable of variance p (1 - p) v, with v = 1/n + 1/m. The
 * overlap loses half of what they differ by: 1/2 sqrt(2/pi) sqrt(p (1 - p) v) on
 * the average.
 *
 * Pure.
 */
#ifndef COF_MEASURE_SAMPLING_NOISE_H
#define COF_MEASURE_SAMPLING_NOISE_H

/* What noise takes from the overlap in a cell of share p, 0 to 1. `v`: 1/n + 1/m. */
double cof_sampling_noise_loss(double p, double v);

/* The overlap over what is expected of it; `lost` is the sum of losses. May be
 * more than 1. */
double cof_sampling_noise_correct(double overlap, double lost);

#endif /* COF_MEASURE_SAMPLING_NOISE_H */
