/*
 * osr_mark.h - how a unit gets points: marks in its clones
 *
 * While a body is cloned each gate is marked by a call with what is alive there as
 * arguments. What is put into the clone after that, or replaced in it, changes the
 * marks' arguments as any others. In the end marks become points (osr_point.h).
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "ir/clone.h"
#include "points/osr_entry.h"
#include "link/osr_points.h"

/*
 * Clones of `f` that this unit makes from now on get marks, if there is anything
 * to mark; `points`: they will become points, and no marks may be left when the
 * module is compiled (cofl_osr_point_finish()).
 */
void cofl_osr_mark_prepare(struct cofl_clone *unit, LLVMValueRef f, bool points);

/* Free what prepare() made; the unit's end does so, too. */
void cofl_osr_mark_forget(struct cofl_clone *unit);

#define COFL_OSR_MARK "cof.osr.mark"	/* what is called */
struct cofl_mark {
	LLVMValueRef call;
	uint32_t     loop;
	LLVMValueRef labels;	/* of this clone, in the order of targets */
};

/* The marks in function `to`, at most n_loops. */
uint32_t cofl_osr_marks(const struct cofl_clone *unit, LLVMValueRef to,
			struct cofl_mark *mark);

/* What is alive at a mark, as gates.loops.loop[].live counts. */
static inline LLVMValueRef cofl_mark_live(const struct cofl_mark *mark,
					  uint32_t i)
{
	return LLVMGetOperand(mark->call, 2 + i);
}

/*
 * Cut the block at the mark, which is erased: what was before it goes to a new
 * block, without a terminator, that takes its place. Returns that.
 */
LLVMBasicBlockRef cofl_osr_mark_split(const struct cofl_mark *mark);

/* -- The buffer ------------------------------------------------------------- */

/* A buffer at the start of the function. */
LLVMValueRef cofl_osr_mark_buffer(struct cofl_clone *unit, LLVMValueRef to);

/*
 * At the builder's end of a block: store what is alive to `buffer`. live[] as of
 * the mark.
 */
void cofl_osr_mark_store(struct cofl_clone *unit, uint32_t loop, LLVMValueRef labels,
		    LLVMValueRef *live, LLVMValueRef buffer);

/* Call `continuation` with the buffer, and return what it returns. */
void cofl_osr_mark_leave(struct cofl_clone *unit, LLVMValueRef to,
		    LLVMValueRef continuation, LLVMValueRef buffer);
