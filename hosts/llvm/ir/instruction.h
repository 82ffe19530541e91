/*
 * instruction.h - instructions and their function
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdint.h>

#include <llvm-c/Core.h>

static inline LLVMValueRef cofl_instruction_function(LLVMValueRef i)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
}

/* How many instructions a function has. */
static inline uint32_t cofl_instruction_count(LLVMValueRef f)
{
	uint32_t n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			n++;
	return n;
}
