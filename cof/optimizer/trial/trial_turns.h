/*
 * trial_turns.h - the turns of a trial's versions, and what is seen in each
 *
 *	block    [ A ] [ B ]   [ B ] [ A ]   [ A ] ...    which comes first is drawn
 *	later    [ B ] [ B ] [ A ] [ B ]   [ A ] [ B ] ...      where A comes is
 *
 * Once one of them looks faster it has trial_favour times as many turns in
 * each block: the program need not wait for the verdict to gain most of it. A B that
 * was kept from an earlier run has them from the start, until it looks slower. With
 * p of the time in the other, a verdict takes 1/(4p(1 - p)) times as long as with
 * a half: at a quarter a third longer, and costs a third less all the same. The
 * place of the other's one turn is drawn from all there are: if it were the first
 * or the last, the middle of a block would always be the favoured one's, and with
 * phases as long as a turn that is no chance any more.
 *
 * A thread that is inside stays in its version until it returns. If too many
 * samples fall in the version whose turn it is not, the turns are made longer and
 * the evidence so far is forgotten (a turn is `stretch` slices); if that does not help,
 * the trial is given up.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_TRIAL_TRIAL_TURNS_H
#define COF_OPTIMIZER_TRIAL_TRIAL_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "optimizer/trial/trial.h"

/* What a slice was like. */
struct cof_tick {
	double   samples;		/* taken, wherever they fell */
	uint64_t cpu_ns;		/* of the program */
	bool     may_count;		/* the next block */
	uint64_t random;
};

/* A block begins, and its first slice. What was begun before is forgotten. */
void cof_trial_turns_begin(struct cof_trial *trial, bool may_count,
		      uint64_t random);

/* It is the turn of B, or A; if it is already, nothing is done. */
void cof_trial_turns_turn(struct cof_trial *trial, bool b);

/* Entries are counted from now on, by pads, or not, and callers go straight to the
 * version whose turn it is. Not if there is no room for pads. */
void cof_trial_turns_count(struct cof_trial *trial, bool on);

/* What it cost. */
struct cof_toll {
	uint64_t entries;		/* that were counted */
	double   lost_ns;		/* in B, which looks slower */
};

/* A slice ends, and the next begins, if need be after a switch. True: so did a
 * block. */
bool cof_trial_turns_tick(struct cof_trial *trial, const struct cof_tick *tick,
		     struct cof_toll *toll);

/* Which one looks faster, by the evidence so far? */
void cof_trial_turns_favour(struct cof_trial *trial);

/* Has it been found that threads do not follow the turns? */
bool cof_trial_turns_stuck(const struct cof_trial *trial);

/* Of one that is stuck: is it this member that threads do not leave? */
bool cof_trial_turns_stays_in(const struct cof_member *member);

#endif /* COF_OPTIMIZER_TRIAL_TRIAL_TURNS_H */
