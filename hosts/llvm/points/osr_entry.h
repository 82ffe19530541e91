/*
 * osr_entry.h - the loop headers at which a frame can go on in other code
 *
 * A continuation takes over a frame that goes round in a loop. It begins behind
 * the PHIs of the loop's header. It gets a buffer with the values that are live
 * there, which has the same layout for every version of the function:
 *
 *	buffer  [ table of blockaddresses | live values, as in ir/loops.h ... ]
 *
 * Only a function with computed goto has the table: the blockaddresses of the
 * code that the frame leaves. Those of the continuation are others.
 *
 * Pure, over a body that is read. Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "ir/loops.h"

/* Of the buffer. No value in it is aligned more strictly. */
#define COFL_OSR_ENTRY_ALIGN 16u

struct cofl_osr_entry {
	bool      possible;
	uint32_t *offset;		/* by live value, in the buffer */
	bool     *is_blockaddress;	/* by live value */
};

struct cofl_osr_entries {
	struct cofl_loops      loops;
	struct cofl_osr_entry *entry;	/* by loop */
	uint32_t               n_possible;
	uint32_t               bytes;	/* of the largest buffer */
	LLVMBasicBlockRef     *target;	/* of indirect branches, each once */
	uint32_t               n_targets;
};

/* Always succeeds. If n_possible is 0, no frame of `f` can be taken over. */
void cofl_osr_entry_find(struct cofl_osr_entries *s, LLVMValueRef f,
			 LLVMTargetDataRef layout);
void cofl_osr_entry_free(struct cofl_osr_entries *s);

/* The name of the function that `call` calls; NULL: not known. */
const char *cofl_osr_entry_callee_name(LLVMValueRef call);
