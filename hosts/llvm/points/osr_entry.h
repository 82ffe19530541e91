/*
 * osr_entry.h - where frames of a function can be left for other code, and with what
 *
 * A frame that goes round in a loop may be taken over by a continuation: code
 * that begins behind the PHIs of the loop's header. It is given a buffer with
 * what is alive there, laid out the same way for every version of the function:
 *
 *	buffer  [ table of labels | live values, in the order of ir/loops.h ... ]
 *
 * The table, only of functions with computed goto, has the addresses that
 * labels have in the code that is left; they are others in the continuation.
 *
 * Pure, over a body that is read. Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "ir/loops.h"

#define COFL_OSR_ENTRY_ALIGN 16u	/* of the buffer; of a value at most that */

struct cofl_osr_entry {
	bool      possible;
	uint32_t *offset;	/* by live value, in the buffer */
	bool     *label;	/* by live value: it is a label's address */
};

struct cofl_osr_entries {
	struct cofl_loops  loops;
	struct cofl_osr_entry  *gate;	/* by loop */
	uint32_t           n_possible;
	uint32_t           bytes;	/* of the largest buffer */
	LLVMBasicBlockRef *target;	/* what indirect branches lead to, each */
	uint32_t           n_targets;	/* once */
};

/* Always succeeds; with n_possible 0 nothing can be left. */
void cofl_osr_entry_find(struct cofl_osr_entries *s, LLVMValueRef f,
		     LLVMTargetDataRef layout);
void cofl_osr_entry_free(struct cofl_osr_entries *s);

/* The name of the function a call leads to; NULL: not known. */
const char *cofl_osr_entry_callee_name(LLVMValueRef call);
