/*
 * trial_turns.h - the turns of a trial's versions, and what is seen in each
 *
 *	block    [ A ] [ B ]   [ B ] [ A ]   [ A ] ...       the first is drawn
 *	later    [ B ] [ B ] [ A ] [ B ]   [ A ] [ B ] ...   A's place is drawn
 *
 * A turn is `stretch` slices.
 *
 * Once a version looks faster, it has trial_favour times as many turns in each
 * block as the other, so the program gains most of the speed-up before the
 * verdict. A B that was cached in an earlier run has them from the start, until
 * it looks slower. If a part p of the time is the other version's, a verdict
 * takes 1/(4p(1 - p)) times as long as with a half: with a quarter it takes a
 * third longer, and still costs a third less. The other version has one turn in
 * a block, whose place is drawn from all places. If it were the first or the
 * last only, the middle of a block would always be the favoured version's, and
 * in phases as long as a turn the draw would not be by chance any more.
 *
 * A thread that is inside a version stays there until it returns. If too many
 * samples fall in the version whose turn it is not, the turns are made longer
 * and the evidence so far is forgotten. If that does not help, the trial is
 * given up. So it is if they fall in neither version.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "optimizer/trial/trial.h"

/* The slice that has ended. */
struct cof_tick {
	double   samples;		/* taken, wherever they fell */
	uint64_t cpu_ns;		/* of the program */
	uint64_t wall_ns;
	bool     may_count;		/* entries in the next block */
	double   affordable;		/* so many entries in such a slice */
	uint64_t random;		/* for the next block */
};

/* How long the program was busy: blocks take time, not the CPU time of all
 * threads. */
uint64_t cof_trial_turns_busy_ns(const struct cof_tick *tick);

/* Begins a block and its first slice. A block that was begun before is
 * forgotten. */
void cof_trial_turns_begin(struct cof_trial *trial, bool may_count,
			   uint64_t random);

/* Makes B current in all members, or A. Does nothing if it is already. */
void cof_trial_turns_turn(struct cof_trial *trial, bool b);

/* What the slice cost the program. */
struct cof_toll {
	uint64_t entries;		/* that were counted */
	double   lost_ns;		/* in B, which looks slower */
};

/* Ends a slice and begins the next, after a switch if that is another
 * version's. Fills in *toll. True: a block has ended too. */
bool cof_trial_turns_tick(struct cof_trial *trial, const struct cof_tick *tick,
			  struct cof_toll *toll);

/* Finds out which version looks faster by the evidence so far, and shows the
 * gain in the methods' records. */
void cof_trial_turns_favour(struct cof_trial *trial);

/* Do threads stay where they are, whatever version's turn it is? */
bool cof_trial_turns_stuck(const struct cof_trial *trial);

/* Are the members' threads in neither version, but in continuations say? Then
 * what is measured is not about them. */
bool cof_trial_turns_elsewhere(const struct cof_trial *trial);

/* In a trial that ended for one of these reasons: was it this member? */
bool cof_trial_turns_stuck_in(const struct cof_member *member);
