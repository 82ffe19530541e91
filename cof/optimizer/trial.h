/*
 * trial.h - one new version, or a group of them, against those before
 *
 *	block    [ A A ] [ B B ]   [ B B ] [ A A ]   [ A A ] ...
 *	          `- slices; which comes first is drawn for each block
 *
 * Once one of them looks faster it has COF_TRIAL_FAVOUR times as many slices in
 * each block: the program need not wait for the verdict to gain most of it. With
 * p of the time in the other, a verdict takes 1/(4p(1 - p)) times as long as with
 * a half: at a quarter a third longer, and costs a third less all the same.
 *
 * All members are switched together. What is compared is the time spent in A, in
 * B, and in any version of the methods whose bodies are inlined in these: work
 * that is done there under A may be done in B's body under B. Who is in another
 * version of a member, a continuation say, stays there whatever the turn, and is
 * outside. Callers go by pads (patcher/pad.h) meanwhile, and those from outside
 * are counted in some blocks.
 *
 * A thread that is inside stays in its version until it returns. If too many
 * samples fall in the version whose turn it is not, the turns are made longer and
 * the evidence so far is forgotten; if that does not help, the trial is given up.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_TRIAL_H
#define COF_OPTIMIZER_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "optimizer/evidence.h"

struct cof;
struct cof_method;
struct cof_version;

struct cof_member {
	struct cof_method  *method;
	struct cof_version *a, *b;	/* one is current, the other PARKED */
	uint64_t            a_samples;	/* of A when B came */
	bool                a_settled, b_settled;	/* to be again */
};

#define COF_TRIAL_FAVOUR 3u

struct cof_trial {
	struct cof_trial   *next;
	uint32_t            group;	/* of the B's; 0: it is one alone */
	struct cof_member  *member;
	uint32_t            n, room;
	struct cof_method **set;	/* members, then what is inlined, each
					 * once; once it has begun */
	uint32_t            n_set;
	bool                begun;
	bool                counting;	/* entries, in this block */
	bool                b_now;	/* whose turn it is */
	bool                favours_a, favours_b;	/* looks faster so far */
	uint32_t            phase;	/* of the program, the B's are for; 0: any */
	bool                paused;	/* that is not the phase now */
	uint64_t            paused_at;	/* generation */

	/* This block. */
	struct cof_slice    slice[2];	/* of A and B */
	uint32_t            stretch;	/* slices of each in a block */
	uint32_t            left;	/* of them, until the next switch */
	bool                second;

	/* As of the slice's begin. */
	uint64_t            inside_at, entries_at, right_at, wrong_at;

	/* Since `stretch` was last changed. */
	struct cof_evidence evidence;
	double              right, wrong;	/* samples of members, by whose
						 * turn it was */
	uint64_t            cpu_ns;	/* of the program, ever */
};

/* What a slice was like. */
struct cof_tick {
	double   samples;		/* taken, wherever they fell */
	uint64_t cpu_ns;		/* of the program */
	bool     may_count;		/* the next block */
	uint64_t random;
};

/* NULL: no memory. */
struct cof_trial *cof_trial_new(uint32_t group);
void cof_trial_free(struct cof_trial *trial);

/* Before it has begun. False: no memory. */
bool cof_trial_add(struct cof_trial *trial, struct cof_method *method,
		   struct cof_version *a, struct cof_version *b);

/* Pads, first turn. False: no room; nothing was done. */
bool cof_trial_begin(struct cof *cof, struct cof_trial *trial,
		     uint64_t random);

/* Is each member still what it was, but for our switches? */
bool cof_trial_stands(struct cof *cof, const struct cof_trial *trial);

/*
 * A slice ends, and the next begins, if need be after a switch. *counted:
 * entries that were counted in it. True: so did a block.
 */
bool cof_trial_tick(struct cof_trial *trial, const struct cof_tick *tick,
		    uint64_t *counted);

/*
 * Which is the better one in another phase than its own? A, if it may have been
 * built for that, or looked faster; not if it is the host's own, of no phase.
 */
bool cof_trial_prefers_b(const struct cof_trial *trial);

/* In another phase nothing is to be learned: until resume() it is the turn of the
 * one it prefers. The block that was begun is forgotten. */
void cof_trial_pause(struct cof_trial *trial);
void cof_trial_resume(struct cof_trial *trial, uint64_t random);

/* Has it been found that threads do not follow the turns? */
bool cof_trial_is_stuck(const struct cof_trial *trial);

/* Hardly any samples and no entries: nothing can be said. */
bool cof_trial_is_blind(const struct cof_trial *trial);

/*
 * The members stay with B, or A. Callers lead straight there again, the others
 * are retired. Also before it has begun. The caller ends the batch.
 */
void cof_trial_end(struct cof_trial *trial, bool keep_b);

/* As end(), but what is current stays: somebody replaced one of them. `spared`
 * is not retired; NULL: all that is not current. */
void cof_trial_leave(struct cof_trial *trial,
		     const struct cof_version *spared);

#endif /* COF_OPTIMIZER_TRIAL_H */
