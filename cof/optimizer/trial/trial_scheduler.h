/*
 * trial_scheduler.h - all trials, and the time slices they share
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "measure/promise_calibration.h"
#include "optimizer/trial/trial.h"
#include "optimizer/trial/trial_budget.h"

struct cof;
struct cof_version;
struct cof_workers;

struct cof_trial_scheduler {
	struct cof_trial *trials;	/* begun, or to begin after a slice */
	struct cof_promise_calibration calibration;
	uint64_t          random;	/* state of splitmix64 */
	const struct cof_workers *workers;	/* of the latest turn */

	/* The slice. */
	bool              running;
	uint64_t          slice_ns, began_ns, end_ns;	/* length; since when;
							 * when it is due */
	bool              active;	/* some trial takes turns in it */
	uint32_t          phase;	/* as of the latest turn */
	bool              draining;	/* it is due; waits for SAM */
	uint64_t          sam_turn, drain_ns;	/* SAM's turn, the time at which
						 * draining began */
	uint64_t          samples_at, cpu_at;	/* as the slice began */

	/* Over all slices. */
	struct cof_trial_budget budget;
	double            look_ns;	/* a slice's end costs P/O; smoothed */
};

/*
 * P/O's turn: end the slice if it is due, decide, switch versions, begin the
 * next slice and the trials that wait for it, and end the patcher's batch. The
 * CPU time of `workers` does not count as the program's; NULL: there are none.
 */
void cof_trial_scheduler_turn(struct cof *cof,
			      struct cof_trial_scheduler *scheduler,
			      const struct cof_workers *workers);

/* ns until the next turn has something to do; UINT64_MAX: there is no trial. */
uint64_t
cof_trial_scheduler_due_ns(const struct cof_trial_scheduler *scheduler);

/* The trial for the version: that of its unit if it has not begun yet, or a
 * new one. It stays the scheduler's. NULL: no memory. */
struct cof_trial *
cof_trial_scheduler_trial(struct cof_trial_scheduler *scheduler,
			  const struct cof_version *newer);

/* Takes the trial out and frees it. It must be one of the scheduler's. */
void cof_trial_scheduler_remove(struct cof_trial_scheduler *scheduler,
				const struct cof_trial *trial);

/* Sets the counters of versions on trial, and of those that rest. */
void cof_trial_scheduler_count(struct cof *cof,
			       const struct cof_trial_scheduler *scheduler);
