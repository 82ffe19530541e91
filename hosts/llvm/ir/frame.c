/*
 * frame.c - see frame.h
 */
#include "ir/frame.h"

#include <stdint.h>

#include <llvm-c/Target.h>

#include "ir/attribute.h"
#include "support/tuning.h"

/* Saturates. Of what is no variable, or has no constant size, 0. */
static uint64_t variable_bytes(LLVMTargetDataRef layout, LLVMValueRef i)
{
	LLVMValueRef count;
	uint64_t one, n;

	if (!LLVMIsAAllocaInst(i))
		return 0;
	count = LLVMGetOperand(i, 0);
	if (!LLVMIsAConstantInt(count))
		return 0;
	one = LLVMABISizeOfType(layout, LLVMGetAllocatedType(i));
	n = LLVMConstIntGetZExtValue(count);
	return n != 0 && one > UINT32_MAX / n ? UINT32_MAX : one * n;
}

/* A compiler puts what lasts as long as the call into the first block. */
static uint64_t frame_bytes(LLVMValueRef f)
{
	LLVMTargetDataRef layout =
		LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
	uint64_t all = 0;

	for (LLVMValueRef i = LLVMGetFirstInstruction(
		     LLVMGetEntryBasicBlock(f));
	     i != NULL; i = LLVMGetNextInstruction(i))
		all += variable_bytes(layout, i);
	return all;
}

void cofl_frame_keep_apart(LLVMValueRef f)
{
	if (!cofl_attribute_has(f, "alwaysinline") &&
	    frame_bytes(f) > COFL_TUNE(inline_frame))
		cofl_attribute_forbid_inlining(f);
}
