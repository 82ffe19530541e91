/*
 * time_saved.h - what a method's versions save
 *
 * The question is what a run of the same work gains that has the current
 * versions from its start, as the next run will. So a version is credited with
 * what it saved in the time it ran, by its samples, and with what it would have
 * saved in the time the versions before it ran.
 *
 * Thread: any.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_history_run;
struct cof_method;
struct cof_version;

/* A method, as of one moment. */
struct cof_history_hot {
	struct cof_method *method;
	uint64_t           samples;	/* in all its versions */
	uint64_t           now;		/* in the current one, or since a trial
					 * of loops ended */
	uint32_t           plan;
	double             speedup;	/* promised over the version before; 0:
					 * not known */
	uint32_t           audited;
	double             before, measured;	/* speeds over the first
						 * version's */
	int32_t            trial_permille;	/* gain so far of the one that
						 * is on trial */
	uint32_t           trial_weight, trial_promised, trial_plan;
	double             trial_before;
	bool               refused;
};

/* The method's state, with its current version. */
struct cof_history_hot cof_history_hot(struct cof_method *method,
				       const struct cof_version *current);

/* Is the host's own version current, and was no other tried? */
bool cof_history_is_open(const struct cof_history_hot *hot);

/* Add what the method's versions save to the run's sums. */
void cof_history_time_saved(struct cof_history_run *run,
			    const struct cof_history_hot *hot);

/* After all methods: sums that a record has no sign for. */
void cof_history_time_saved_end(struct cof_history_run *run);
