/*
 * expected_gain.h - what a version is thought to gain, before its trial has ended
 *
 * A program may end before a trial does, and what the trial saw is not to be lost:
 * it is most of what the history learns from short runs. What is measured counts
 * by its error:
 *
 *	w = 1 / (1 + (error / 0.2)^2)
 *	log gain = w * measured
 *
 * which is the mean of a normal prior around no gain, with the standard deviation
 * by which methods differ (promise_calibration.h), updated with the measurement. For what is
 * missing from 1, there is the promise. It is of a plan and not of this method, so
 * it is believed less one such deviation: one of 1.2 is none.
 *
 * Pure.
 */
#ifndef COF_MEASURE_EXPECTED_GAIN_H
#define COF_MEASURE_EXPECTED_GAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/evidence.h"

/* No trial. */
#define COF_EXPECTED_GAIN_NONE INT32_MIN

/* Speed-up, of one that the host promised and nobody measured; at least 1. */
double cof_expected_gain_promise(double promised);

/* w: how far the measurement counts, 0 to 1. */
double cof_expected_gain_weight(const struct cof_measure *measure);

/* Of B over A, by the measurement alone: 0 no gain, 500 half as fast again. */
int32_t cof_expected_gain_permille(const struct cof_measure *measure);

/* Was B measured to be faster by more than the error? By what these two gave, the
 * weight in thousandths. */
bool cof_expected_gain_likely(int32_t permille, uint32_t weight);

#endif /* COF_MEASURE_EXPECTED_GAIN_H */
