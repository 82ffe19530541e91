/*
 * loop_turns.h - two continuations of the same loops, for slices of time each
 *
 *	A | B   B | A   A | B ...	blocks, their order drawn
 *
 * No call enters what stays in a loop, so the measure is how often the loops
 * went round, per CPU time of the program: the pace of measure/evidence.h, of
 * all there is. A frame changes sides when its loop comes round. If many turns
 * are on the side whose slice it is not, slices become longer; blocks in which
 * that is so with the longest slices show nothing.
 *
 * A slice without a turn is void, and its block: the program is elsewhere, or
 * one turn takes longer. Then slices become longer, and the longest wait for a
 * turn.
 *
 * Neighbouring blocks are alike where the program has phases, so they show too
 * little variance. loop_pool blocks are one stratum of the evidence, and so
 * many strata are one of a second sum (batch means; A. M. Law: Simulation
 * Modeling and Analysis). The larger error of the two counts, as soon as there
 * are enough of the second kind. Longer slices need fewer blocks for that.
 *
 * Pure: the caller looks at its clocks, and leads the frames.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "measure/evidence.h"

/* Blocks, put together to strata. */
struct cof_loop_strata {
	struct cof_evidence evidence;
	struct cof_slice    slice[2];	/* of A and B, in this stratum */
	uint32_t            blocks;	/* in it */
};

struct cof_loop_turns {
	struct cof_loop_strata fine, coarse;
	struct cof_slice    slice[2];	/* of A and B, in this block */
	uint64_t            turns_at[2], cpu_at, wall_at; /* as the slice
							   * began */
	uint64_t            end_ns;	/* of the slice */
	uint64_t            spent_ns;	/* so far, on slices with turns: CPU
					 * time or wall, whichever is less */
	uint32_t            stretch;	/* times the shortest slice */
	uint32_t            silent;	/* slices without a turn, in a row */
	bool                b_now;	/* it is B's slice */
	bool                second;	/* of the block */
	bool                found;	/* the verdict is a finding */
	uint32_t            crossed;	/* blocks with turns on both sides, each
					 * in its slice */
	double              right, wrong;	/* turns on the side whose slice
						 * it was, and on the other */
	double              block_right, block_wrong;	/* of this block */
	uint32_t            blocks, strays;	/* so far, and of them those
						 * that show nothing */
};

/*
 * What the caller sees. Turns may get fewer, where frames share a place to
 * count in, and CPU time by the moment it is read: then the block is void.
 */
struct cof_loop_look {
	uint64_t now_ns;
	uint64_t cpu_ns;	/* of the program, without builds */
	uint64_t turns[2];	/* of A and B */
	uint64_t random;
};

/* How the trial goes on. */
enum cof_loop_act {
	COF_LOOP_STAY,		/* the slice is not over, or the next one is of
				 * the same side */
	COF_LOOP_SWITCH,	/* to the side that b_now names */
	COF_LOOP_KEEP_A,	/* B is slower, or seems so */
	COF_LOOP_KEEP_B,
};

/* Begin with a slice of A's, where the frames are. */
void cof_loop_turns_begin(struct cof_loop_turns *turns,
			  const struct cof_loop_look *look);

/*
 * `error`: the chance of a wrong verdict, between 0 and 1; most_ns: how long
 * loops go round before there is one in any case. *measure is what is known at
 * the end of a block, and as it was else.
 */
enum cof_loop_act cof_loop_turns_step(struct cof_loop_turns *turns,
				      const struct cof_loop_look *look,
				      double error, uint64_t most_ns,
				      struct cof_measure *measure);
