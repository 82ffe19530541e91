/*
 * loop_trial.h - what only OSR reaches is on trial, too
 *
 *	osr_try(PROFILE)  frames go to B           WANTS_A
 *	osr_try(AVERAGE)  frames go from B to A    TURNS     loop_turns.h
 *	osr()             the better one is built  SETTLES   without counting
 *	                  anew, and frames go there
 *	                  A is gone                          B is let go
 *
 * B was built from what frames counted in one stretch of the program, and no
 * call enters what they stay in. So the two take turns, and what loses is left
 * while the loop runs.
 *
 * Owner: both sides are the trial's, and PARKED, until the end: each can be
 * reached from the other. Then frames go one way only. Of the two, one that can
 * still be reached from the other stays until that is gone.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_build;
struct cof_loop_trial;
struct cof_version;
struct cof_workers;

struct cof_loop_trials {
	struct cof_loop_trial *first;
	const struct cof_workers *workers;	/* their CPU time is not the
						 * program's; NULL: none */
	uint64_t               random;		/* state of splitmix64 */
};

/* Can the host do it, and are trials wanted? */
bool cof_loop_trials_can(const struct cof *cof);

/* The continuation `b` is from osr_try(), and frames are led there. Without
 * memory it stays, untried. */
void cof_loop_trials_add(struct cof *cof, struct cof_loop_trials *trials,
			 struct cof_version *b);

/* End slices that are due, switch sides, decide. */
void cof_loop_trials_turn(struct cof *cof, struct cof_loop_trials *trials);

/* A build that some trial wants, to be queued; NULL: none. */
struct cof_build *cof_loop_trials_next(struct cof *cof,
				       struct cof_loop_trials *trials);

/*
 * The trial's build has ended, as osr_build.h counts; `made` is the
 * continuation, or NULL. False: it is no trial's.
 */
bool cof_loop_trials_take(struct cof *cof, struct cof_loop_trials *trials,
			  const struct cof_build *build,
			  struct cof_version *made);

/* ns until the next turn has something to do; UINT64_MAX: nothing. */
uint64_t cof_loop_trials_due_ns(const struct cof_loop_trials *trials);

/* No thread is in `version` any more. [code] */
void cof_loop_trials_gone(struct cof *cof, struct cof_loop_trials *trials,
			  const struct cof_version *version);

/* P/O has ended, and the caller acts as P/O: let all versions go. */
void cof_loop_trials_stop(struct cof *cof, struct cof_loop_trials *trials);
