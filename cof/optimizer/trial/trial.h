/*
 * trial.h - one new version, or those of a unit, against the versions before
 *
 * P/O switches all members together. A trial compares the time spent in A, in
 * B, and in any version of the methods whose bodies are inlined in these: work
 * that is done there under A may be done in B's body under B. A thread in
 * another version of a member, for example a continuation, stays there whatever
 * the turn, and is outside. If that is where the members' time goes, the trial
 * is not about them. In some blocks callers go by counting thunks
 * (patcher/counting_thunk.h), which count the entries from outside. Turns:
 * trial_turns.h.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "code/version.h"
#include "measure/evidence.h"
#include "measure/evidence_checkpoint.h"

struct cof;
struct cof_method;
struct cof_version;

struct cof_member {
	struct cof_method  *method;
	struct cof_version *a, *b;	/* one is current, the other PARKED */
	uint64_t            a_samples;	/* of A when B came */
	bool                a_settled, b_settled;	/* before the trial */
	uint64_t            right_at, wrong_at;	/* as the slice began */
	int64_t             elsewhere_at;
	double              right, wrong, elsewhere;	/* as the trial's */
	enum cof_thunked    thunked;	/* callers, while the trial counts; NO:
					 * they are not counted */
	uint64_t            entries_at;	/* as the slice began */
	uint64_t            entered;	/* in this block */
};

/* What earlier runs saw of all members. */
struct cof_prior {
	double log_time, variance;	/* members' mean; members' largest */
	bool   none;			/* of some member they saw nothing */
	double told;			/* the standard error that the host was
					 * told; 0: none yet */
};

struct cof_trial {
	struct cof_trial   *next;
	uint32_t            unit;	/* of the B's; 0: one method alone */
	struct cof_member  *member;
	uint32_t            n, capacity;
	struct cof_method **set;	/* members, then inlined methods, each
					 * once; NULL before it has begun */
	uint32_t            n_set;
	bool                begun;
	uint64_t            not_before;	/* this generation it begins */
	bool                counting;	/* entries, in this block */
	bool                b_now;	/* it is B's turn */
	bool                favours_a, favours_b;	/* it looks faster */
	double              told_speedup;	/* of B, as the host knows; 0:
						 * it does not look faster */
	uint32_t            phase;	/* that the B's are for; 0: any */
	bool                paused;	/* the program is in another phase */
	uint64_t            paused_at;	/* generation */
	bool                resting;	/* until the budget allows turns */

	/* This block; trial_turns.h. */
	struct cof_slice    slice[2];	/* of A and B */
	uint32_t            stretch;	/* slices in a turn */
	bool                led_out;	/* frames that stayed in an A were: no
					 * more are, since others would come */
	uint32_t            left;	/* slices until the turn is over */
	uint32_t            turn, turns;	/* from 0; in this block */
	uint32_t            lone;	/* the turn of the version that has
					 * only one */
	bool                lone_b;	/* that version is B */
	double              affordable;	/* entries, of what it counts */

	/* As the slice began. */
	uint64_t            inside_at;

	/* Since `stretch` was last changed. */
	struct cof_evidence evidence;
	struct cof_evidence_checkpoint checkpoint;
	struct cof_prior    prior;
	double              right, wrong, elsewhere;	/* members' samples in
						 * the version whose turn it
						 * was; in the other; in
						 * neither */
	uint64_t            busy_ns;	/* the program, since it has begun,
					 * rests included */
	double              loss;	/* estimated, part of the time in B;
					 * below 0: gain */
	double              cost_ns;	/* of counting entries */
};

/* `unit`: the number of the unit, 0: one method alone. NULL: no memory. */
struct cof_trial *cof_trial_new(uint32_t unit);
void cof_trial_free(struct cof_trial *trial);

/* Adds a member, before the trial has begun. False: no memory. */
bool cof_trial_add(struct cof_trial *trial, struct cof_method *method,
		   struct cof_version *a, struct cof_version *b);

/* Begins the first block. False: no memory, or nothing can be replaced now,
 * and nothing was done. */
bool cof_trial_begin(struct cof *cof, struct cof_trial *trial,
		     uint64_t random);

/* Are A and B of each member still what P/O's last switch made them? */
bool cof_trial_stands(struct cof *cof, const struct cof_trial *trial);

/*
 * Is B the better version in another phase than the trial's? Only if each A is
 * the host's own, which no phase was known for, and did not look faster.
 * Another A may have been built for that other phase.
 */
bool cof_trial_prefers_b(const struct cof_trial *trial);

/* In another phase a trial learns nothing: until resume() the preferred version
 * is current. The block that was begun is forgotten. */
void cof_trial_pause(struct cof_trial *trial);
void cof_trial_resume(struct cof_trial *trial, uint64_t random);

/* Turns cost too much for now: until resume() the version that looks better is
 * current. */
void cof_trial_rest(struct cof_trial *trial);

/* The time of B over that of A, by this run's evidence and earlier runs'. */
static inline void cof_trial_measure(const struct cof_trial *trial,
				     struct cof_measure *out)
{
	const struct cof_prior *prior = &trial->prior;

	cof_evidence_measure(&trial->evidence, out);
	if (!prior->none && prior->variance > 0)
		cof_measure_join(out, prior->log_time, prior->variance);
}

/* Are there too few samples and entries to say anything? */
bool cof_trial_is_blind(const struct cof_trial *trial);

/*
 * Makes B current for good, or A, and retires the other versions. Callers go
 * straight to what is current. The trial need not have begun. The caller ends
 * the patcher's batch, and frees the trial.
 */
void cof_trial_end(struct cof_trial *trial, bool keep_b);

/* Ends a paused trial: the current versions stay, and the version that looks
 * faster in the trial's phase comes back with that phase. */
void cof_trial_set_aside(struct cof_trial *trial);

/* As end(), but the current versions stay: a member's version was replaced.
 * Retires all that is not current, except `spared`, which may be NULL. */
void cof_trial_leave(struct cof_trial *trial,
		     const struct cof_version *spared);
