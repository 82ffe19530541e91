/*
 * loops.h - the loops of a function, and what is alive where they begin
 *
 *	entry --> outer header --> inner header --> ...
 *	              ^                ^   |           |
 *	              |                +---+           |
 *	              +--------------------------------+
 *
 * A loop is known by its header, the block that a retreating edge leads to. If
 * the header dominates where that edge comes from, the loop is a natural one and
 * has a body; a header of an irreducible cycle stands alone. The same body gives
 * the same loops in the same order, in whatever copy it was read.
 *
 * Pure, over a body that is read. Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "ir/map.h"

#define COFL_NO_LOOP UINT32_MAX

struct cofl_loop {
	uint32_t      header;	/* block */
	uint32_t      parent;	/* the loop around it, COFL_NO_LOOP: none */
	bool          natural;

	/*
	 * What later code may use of what was there before: parameters and
	 * instructions alive behind the header's PHIs, these included, in the
	 * order they stand in.
	 */
	LLVMValueRef *live;
	uint32_t      n_live, room;
};

struct cofl_loops {
	LLVMBasicBlockRef *block;	/* as they stand */
	uint32_t           n_blocks;
	struct cofl_map    number;	/* block -> its number + 1 */
	uint32_t          *from_first;	/* of the blocks that lead to block i, */
	uint32_t          *from;	/* from[from_first[i] .. [i + 1]) */
	uint32_t          *order;	/* reverse postorder, reachable ones */
	uint32_t           n_order;
	uint32_t          *place;	/* in it; UINT32_MAX: not reachable */
	uint32_t          *dominator;	/* immediate; the entry's is itself */

	struct cofl_loop  *loop;	/* by place of the header: outer ones
					 * come before those in them */
	uint32_t           n_loops;
	uint32_t          *loop_of;	/* by block: the innermost */
};

void cofl_loops_find(struct cofl_loops *l, LLVMValueRef f);
void cofl_loops_free(struct cofl_loops *l);

/* Number of a block of the function. */
uint32_t cofl_loops_block(const struct cofl_loops *l, LLVMBasicBlockRef block);

bool cofl_loops_dominates(const struct cofl_loops *l, uint32_t a, uint32_t b);

/* Is `inner` that loop, or in it? */
bool cofl_loops_inside(const struct cofl_loops *l, uint32_t inner,
		       uint32_t outer);

/*
 * Mark in seen[], of n_blocks, all blocks that can be reached from the end of
 * block `from`. A block in stop[], if not NULL, is marked and not left.
 */
void cofl_loops_reach(const struct cofl_loops *l, uint32_t from,
		      const bool *stop, bool *seen);
