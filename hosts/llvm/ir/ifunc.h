/*
 * ifunc.h - functions whose addresses the program computes when it starts
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

/* The function that resolves an ifunc. */
static inline LLVMValueRef cofl_ifunc_resolver(LLVMValueRef ifunc)
{
	LLVMValueRef by = LLVMGetGlobalIFuncResolver(ifunc);

	return LLVMIsAGlobalAlias(by) ? LLVMAliasGetAliasee(by) : by;
}
