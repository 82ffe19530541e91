/*
 * osr_mark.h - marks: where the clones in a unit will have points
 *
 * While a body is cloned, each OSR entry is marked by a call, with the values
 * live there as arguments. What changes values in the clone after that changes
 * the arguments like any other uses. In the end marks become points
 * (points/osr_point.h).
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "ir/clone.h"
#include "link/osr_points.h"
#include "points/osr_entry.h"

/*
 * From now on the unit's clones of `f` get marks, if `f` has OSR entries. With
 * `points` the marks become points; then cofl_osr_point_finish() must be called
 * before the module is compiled.
 */
void cofl_osr_mark_prepare(struct cofl_clone *unit, LLVMValueRef f,
			   bool points);

/* Free what prepare() made. The end of the unit does so, too. */
void cofl_osr_mark_forget(struct cofl_clone *unit);

#define COFL_OSR_MARK "cof.osr.mark"	/* the function that marks call */
struct cofl_osr_mark {
	LLVMValueRef call;
	uint32_t     loop;
	LLVMValueRef labels;	/* the clone's table of blockaddresses */
};

/* Find the marks in function `to`, at most n_loops. Returns their number. */
uint32_t cofl_osr_marks(const struct cofl_clone *unit, LLVMValueRef to,
			struct cofl_osr_mark *mark);

/* A live value at a mark, in the order of the loop's live[]. */
static inline LLVMValueRef cofl_osr_mark_live(const struct cofl_osr_mark *mark,
					      uint32_t i)
{
	return LLVMGetOperand(mark->call, 2 + i);
}

/* A buffer for what is live: the one that a continuation was entered with, if
 * the unit's continuations leave nothing on the stack, or else a new one at the
 * start of the function. */
LLVMValueRef cofl_osr_mark_buffer(struct cofl_clone *unit, LLVMValueRef to);

/*
 * At the end of a block: store what is live at the mark into the buffer, call
 * `continuation` with it, and return its result. Erases the mark. With the
 * buffer that `to` was entered with it is a jump: the values were loaded when
 * `to` began, and no variable is in its frame.
 */
void cofl_osr_mark_leave(struct cofl_clone *unit, LLVMValueRef to,
			 const struct cofl_osr_mark *mark,
			 LLVMValueRef continuation, LLVMValueRef buffer);
