/*
 * copy_machine.c - for what machine a copy's functions are compiled
 */
#include "ir/copy.h"

#include "ir/llvm_shim.h"
#include "support/fatal.h"

LLVMTargetMachineRef cofl_copy_machine(struct cofl_copy *copy,
				       enum cofl_level level)
{
	static const LLVMCodeGenOptLevel llvms[COFL_LEVELS] = {
		LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
		LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive,
	};
	LLVMTargetRef target;
	char *triple, *error;

	if (copy->machine[level] != NULL)
		return copy->machine[level];
	triple = LLVMGetDefaultTargetTriple();
	if (LLVMGetTargetFromTriple(triple, &target, &error))
		cofl_fatal("LLVM cannot compile for %s: %s", triple, error);
	/*
	 * Functions have the target features that the program was compiled for;
	 * those without have the baseline. So results are those of a native
	 * build, bit by bit.
	 */
	copy->machine[level] = LLVMCreateTargetMachine(
		target, triple, "x86-64", "", llvms[level], LLVMRelocPIC,
		LLVMCodeModelSmall);
	cofl_llvm_shim_align_loops(copy->machine[level]);
	LLVMDisposeMessage(triple);
	return copy->machine[level];
}
