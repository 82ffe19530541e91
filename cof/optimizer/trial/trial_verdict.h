/*
 * trial_verdict.h - what becomes of a trial, and what is learned from it
 *
 *	faster        B is kept
 *	slower        B is rolled back; the plan is put off for the method,
 *	              twice as long each time, then banned
 *	unclear       by the estimate, once any difference is sure to be little,
 *	              or the trial has lasted too long, or it has cost more than
 *	              there is to gain
 *	stuck, blind  B is kept: nothing was seen
 *
 * From the first three measure/promise_calibration.h learns, and past_ns is
 * corrected.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"
#include "measure/promise_calibration.h"

struct cof;
struct cof_trial;

/*
 * Decides after a block. True: the trial is over, its versions are current or
 * retired as the verdict says, and the caller frees it. `random` is for option
 * stress.
 */
bool cof_trial_verdict_block(struct cof *cof,
			     struct cof_promise_calibration *calibration,
			     struct cof_trial *trial, uint64_t random);

/* The same for a trial that rests: has it lasted too long? */
bool cof_trial_verdict_rest(struct cof *cof,
			    struct cof_promise_calibration *calibration,
			    struct cof_trial *trial);

/* Counts and logs that the trial ends without a verdict, for `reason`. The
 * caller ends it. */
void cof_trial_verdict_give_up(struct cof *cof, const struct cof_trial *trial,
			       cof_count *reason);
