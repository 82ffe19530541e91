/*
 * osr_turns.h - code that tells how often loops went round
 *
 * A frame takes a slot of struct cofl_turns when it comes in, and goes on from
 * the number that it finds there. What stores that number in each turn is
 *
 *	induction variable + what it takes to make it that number
 *		if the function has one point, at the loop that it comes in by,
 *		and a variable of that loop changes by a constant in each turn:
 *		a turn counts as much as that
 *	number + 1	else, which needs one more register
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

#include "ir/clone.h"

/* Values of the function that is made. */
struct cofl_osr_turns {
	LLVMValueRef slot;	/* pointer; NULL: turns are not counted */
	LLVMValueRef n;		/* variable: what the slot holds */
	LLVMValueRef iv;	/* PHI of the header; NULL: `n` counts */
	LLVMValueRef from;	/* variable: what to add to it, or to take it
				 * from */
	LLVMValueRef at;	/* variable: the slot */
	bool         down;	/* it gets less */
};

/* Take the next slot at the start of continuation `to`. `header` is that of the
 * only loop that has a point; NULL: there are several. */
struct cofl_osr_turns cofl_osr_turns_begin(struct cofl_clone *unit,
					   LLVMValueRef to,
					   LLVMBasicBlockRef header);

/* Count a turn where the builder stands, behind the PHIs of a header. */
void cofl_osr_turns_count(struct cofl_clone *unit,
			  const struct cofl_osr_turns *turns);
