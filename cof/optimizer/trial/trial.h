/*
 * trial.h - one new version, or a group of them, against those before
 *
 * All members are switched together. What is compared is the time spent in A, in
 * B, and in any version of the methods whose bodies are inlined in these: work
 * that is done there under A may be done in B's body under B. Who is in another
 * version of a member, a continuation say, stays there whatever the turn, and is
 * outside. In some blocks callers go by pads (patcher/counting_thunk.h), and those from outside
 * are counted. Turns: trial_turns.h.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_TRIAL_TRIAL_H
#define COF_OPTIMIZER_TRIAL_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/evidence.h"
#include "measure/evidence_checkpoint.h"
#include "code/version.h"

struct cof;
struct cof_method;
struct cof_version;

struct cof_member {
	struct cof_method  *method;
	struct cof_version *a, *b;	/* one is current, the other PARKED */
	uint64_t            a_samples;	/* of A when B came */
	bool                a_settled, b_settled;	/* to be again */
	uint64_t            right_at, wrong_at;	/* samples, as the trial's */
	double              right, wrong;
};

/* What earlier runs saw of all its members. */
struct cof_prior {
	double log_time, variance;	/* means over members, and the largest */
	bool   none;			/* of one of them nothing is known */
	double told;			/* standard error, as the host has it; 0:
					 * it has nothing yet */
};

struct cof_trial {
	struct cof_trial   *next;
	uint32_t            group;	/* of the B's; 0: it is one alone */
	struct cof_member  *member;
	uint32_t            n, room;
	struct cof_method **set;	/* members, then what is inlined, each
					 * once; once it has begun */
	uint32_t            n_set;
	bool                begun;
	uint64_t            not_before;	/* to begin; generation */
	enum cof_thunked     padding;	/* who goes by pads while it counts */
	bool                counting;	/* entries, in this block */
	bool                b_now;	/* whose turn it is */
	bool                favours_a, favours_b;	/* looks faster so far */
	bool                told_faster;	/* and the host knows (trial_verdict.c) */
	uint32_t            phase;	/* of the program, the B's are for; 0: any */
	bool                paused;	/* that is not the phase now */
	uint64_t            paused_at;	/* generation */
	bool                resting;	/* until there is more in the purse */

	/* This block; trial_turns.h. */
	struct cof_slice    slice[2];	/* of A and B */
	uint32_t            stretch;	/* slices in a turn */
	uint32_t            left;	/* of them, until the turn is over */
	uint32_t            turn, turns;	/* from 0; in this block */
	uint32_t            lone;	/* the turn that is not the other's */
	bool                lone_b;	/* it is B's */

	/* As of the slice's begin. */
	uint64_t            inside_at, entries_at;

	/* Since `stretch` was last changed. */
	struct cof_evidence evidence;
	struct cof_evidence_checkpoint   rewind;
	struct cof_prior    prior;
	double              right, wrong;	/* samples of members, by whose
						 * turn it was */
	uint64_t            cpu_ns;	/* of the program, ever, rests included */
	double              loss;	/* of the time in B, it is thought; below 0:
					 * gain */
	double              cost_ns;	/* of counting its entries; trial_budget.h */
};

/* NULL: no memory. */
struct cof_trial *cof_trial_new(uint32_t group);
void cof_trial_free(struct cof_trial *trial);

/* Before it has begun. False: no memory. */
bool cof_trial_add(struct cof_trial *trial, struct cof_method *method,
		   struct cof_version *a, struct cof_version *b);

/* The first turn. False: no memory, or nothing can be replaced now; nothing was
 * done. */
bool cof_trial_begin(struct cof *cof, struct cof_trial *trial,
		     uint64_t random);

/* Is each member still what it was, but for our switches? */
bool cof_trial_stands(struct cof *cof, const struct cof_trial *trial);

/*
 * Which is the better one in another phase than its own? A, if it may have been
 * built for that, or looked faster; not if it is the host's own, of no phase.
 */
bool cof_trial_prefers_b(const struct cof_trial *trial);

/* In another phase nothing is to be learned: until resume() it is the turn of the
 * one it prefers. The block that was begun is forgotten. */
void cof_trial_pause(struct cof_trial *trial);
void cof_trial_resume(struct cof_trial *trial, uint64_t random);

/* No turns for now, for they cost too much: until resume() it is the turn of what
 * looks better. */
void cof_trial_rest(struct cof_trial *trial);

/* What is known of B over A, from earlier runs too. */
static inline void cof_trial_measure(const struct cof_trial *trial,
				     struct cof_measure *out)
{
	const struct cof_prior *prior = &trial->prior;

	cof_evidence_measure(&trial->evidence, out);
	if (!prior->none && prior->variance > 0)
		cof_measure_join(out, prior->log_time, prior->variance);
}

/* Hardly any samples and no entries: nothing can be said. */
bool cof_trial_is_blind(const struct cof_trial *trial);

/*
 * The members stay with B, or A. Callers lead straight there again, the others
 * are retired. Also before it has begun. The caller ends the batch.
 */
void cof_trial_end(struct cof_trial *trial, bool keep_b);

/* Of one that is paused: what is current stays, and what looks faster in the
 * trial's phase comes back with that. */
void cof_trial_set_aside(struct cof_trial *trial);

/* As end(), but what is current stays: somebody replaced one of them. `spared`
 * is not retired; NULL: all that is not current. */
void cof_trial_leave(struct cof_trial *trial,
		     const struct cof_version *spared);

#endif /* COF_OPTIMIZER_TRIAL_TRIAL_H */
