/*
 * trial_scheduler.h - all trials, and the slices of time they share
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_TRIAL_TRIAL_SCHEDULER_H
#define COF_OPTIMIZER_TRIAL_TRIAL_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/promise_calibration.h"
#include "optimizer/trial/trial_budget.h"
#include "optimizer/trial/trial.h"

struct cof;
struct cof_version;
struct cof_workers;

struct cof_trial_scheduler {
	struct cof_trial *trials;	/* begun, or waiting for a slice's end */
	struct cof_promise_calibration  gains;
	uint64_t          random;
	const struct cof_workers *workers;	/* of the latest turn */

	/* The slice. */
	bool              running;
	uint64_t          slice_ns, end_ns;	/* length; when it is due */
	bool              active;	/* some take turns in it */
	uint32_t          phase;	/* as of the latest turn */
	bool              draining;
	uint64_t          sam_turn, drain_ns;	/* as of then; since when */
	uint64_t          samples_at, cpu_at;	/* as of its begin */

	/* Ever. */
	struct cof_trial_budget  purse;
	double            look_ns;	/* lately, of one */
};

/* End slices, judge, switch, begin others; ends its batch. The CPU time of
 * `workers` is not the program's; NULL: there are none. */
void cof_trial_scheduler_turn(struct cof *cof, struct cof_trial_scheduler *docket,
		     const struct cof_workers *workers);

/* Until the next turn has something to do; UINT64_MAX: nothing. */
uint64_t cof_trial_scheduler_due_ns(const struct cof_trial_scheduler *docket);

/* The trial that the version belongs in: its group's, or a new one. NULL: no
 * memory. */
struct cof_trial *cof_trial_scheduler_trial(struct cof_trial_scheduler *docket,
				   const struct cof_version *newer);

/* It is freed. */
void cof_trial_scheduler_remove(struct cof_trial_scheduler *docket,
		       const struct cof_trial *trial);

/* Show how many are on trial. */
void cof_trial_scheduler_count(struct cof *cof, const struct cof_trial_scheduler *docket);

#endif /* COF_OPTIMIZER_TRIAL_TRIAL_SCHEDULER_H */
