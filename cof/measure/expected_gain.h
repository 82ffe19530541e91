/*
 * expected_gain.h - the expected gain of a version whose trial has not ended
 *
 * A program may end before a trial does. What the trial saw must not be lost:
 * it is most of what the history learns from short runs. A measurement counts
 * by its error:
 *
 *	w = 1 / (1 + (error / 0.2)^2)
 *	log gain = w * measured
 *
 * which is the mean of a normal prior around no gain, updated with the
 * measurement. The prior's standard deviation, promise_spread, is that by which
 * methods differ (promise_calibration.h).
 *
 * The promise fills in for the weight missing from 1. It is for a plan and not
 * for this method, so one standard deviation is taken off: a promise of 1.2 is
 * none.
 *
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "measure/evidence.h"

/* No trial. */
#define COF_EXPECTED_GAIN_NONE INT32_MIN

/* The speed-up to believe, if the host promised it and no trial measured it; at
 * least 1. */
double cof_expected_gain_promise(double promised);

/* w: how much the measurement counts, 0 to 1. */
double cof_expected_gain_weight(const struct cof_measure *measure);

/* The gain of B over A by the measurement alone, in permille. 0: none, 500:
 * half as fast again. */
int32_t cof_expected_gain_permille(const struct cof_measure *measure);

/* Was B measured to be faster by more than the error? `permille` and `weight`
 * are results of the functions above, the weight in permille. */
bool cof_expected_gain_likely(int32_t permille, uint32_t weight);
