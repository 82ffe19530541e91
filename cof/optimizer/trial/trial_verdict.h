/*
 * trial_verdict.h - what becomes of a trial, and what is learned from it
 *
 *	faster   kept                          measure/promise_calibration.h learns, past_ns is corrected
 *	slower   taken back                    too; the plan is put off for the
 *	                                       method, twice as long each time,
 *	                                       then banned
 *	neither  by the estimate, as unclear   once it is sure to be little, or
 *	                                       when the trial has lasted too long
 *	         or has cost more than there is to gain
 *	stuck, blind                           kept: nothing was seen
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_TRIAL_TRIAL_VERDICT_H
#define COF_OPTIMIZER_TRIAL_TRIAL_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"
#include "measure/promise_calibration.h"

struct cof;
struct cof_trial;

/*
 * After a block. True: the trial is over, its versions are where they belong,
 * and it is to be freed. `random` is for option stress.
 */
bool cof_trial_verdict_block(struct cof *cof, struct cof_promise_calibration *gains,
		     struct cof_trial *trial, uint64_t random);

/* The same while it rests: has it lasted too long? */
bool cof_trial_verdict_rest(struct cof *cof, struct cof_promise_calibration *gains,
		    struct cof_trial *trial);

/* It ends without a verdict, for the reason counted; the caller ends it. */
void cof_trial_verdict_give_up(struct cof *cof, const struct cof_trial *trial,
		       cof_count *reason);

#endif /* COF_OPTIMIZER_TRIAL_TRIAL_VERDICT_H */
