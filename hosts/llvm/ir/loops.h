/*
 * loops.h - the loops of a function, and what is alive where they begin
 *
 *	entry --> outer header --> inner header --> ...
 *	              ^                ^   |           |
 *	              |                +---+           |
 *	              +--------------------------------+
 *
 * A loop is known by its header, the block that a retreating edge leads to. If
 * the header dominates the block that edge comes from, the loop is natural and
 * has a body; the header of an irreducible cycle stands alone. A body has the
 * same loops in the same order in every copy.
 *
 * Pure, but for the numbers of blocks. Thread: the holder of the copy's lock.
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
	 * The values that later code may use: parameters and instructions alive
	 * behind the header's PHIs, these included, in their order in the body.
	 */
	LLVMValueRef *live;
	uint32_t      n_live;
};

struct cofl_loops {
	LLVMBasicBlockRef *block;	/* in their order in the body */
	uint32_t           n_blocks;
	struct cofl_loop  *loop;	/* outer loops before those in them:
					 * headers in reverse postorder */
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

/* In how many loops each block is, irreducible cycles included; depth has an
 * element a block. */
void cofl_loops_depths(LLVMValueRef f, uint8_t *depth);

#ifdef __cplusplus
}
#endif
