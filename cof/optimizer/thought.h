/*
 * thought.h - what a version on trial is thought to gain, so far
 *
 * A program may end before a trial does, and what the trial saw is not to be lost:
 * it is most of what the history learns from short runs. What is measured counts
 * by its error, for the rest the promise is believed by half:
 *
 *	w = 1 / (1 + (error / 0.2)^2)
 *	log gain = w * measured + (1 - w) * log(1 + (promised - 1) / 2)
 *
 * which is the mean of a normal prior with a standard deviation of 0.2 around the
 * promise, updated with the measurement.
 *
 * Pure.
 */
#ifndef COF_OPTIMIZER_THOUGHT_H
#define COF_OPTIMIZER_THOUGHT_H

#include <stdint.h>

#include "optimizer/evidence.h"

/* No trial. */
#define COF_THOUGHT_NONE INT32_MIN

/* Of B over A: 0 no gain, 500 half as fast again. `promised`: its speed-up, by
 * the host; 0 if there is no promise. */
int32_t cof_thought_permille(double promised, const struct cof_measure *measure);

#endif /* COF_OPTIMIZER_THOUGHT_H */
