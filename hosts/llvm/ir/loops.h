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
	uint32_t      n_live;
};

struct cofl_loops {
	LLVMBasicBlockRef *block;	/* as they stand */
	uint32_t           n_blocks;
	struct cofl_loop  *loop;	/* by place of the header: outer ones
					 * come before those in them */
	uint32_t           n_loops;
	uint32_t          *loop_of;	/* by block: the innermost */
};

#ifdef __cplusplus
extern "C" {
#endif

void cofl_loops_find(struct cofl_loops *l, LLVMValueRef f);
void cofl_loops_free(struct cofl_loops *l);

/* Is `inner` that loop, or in it? */
bool cofl_loops_inside(const struct cofl_loops *l, uint32_t inner,
		       uint32_t outer);

/* In how many loops each block is; one with two entries counts. */
void cofl_loops_depths(LLVMValueRef f, uint8_t *depth);

#ifdef __cplusplus
}
#endif
