/*
 * phi.c - see phi.h
 */
#include "phi.h"

#include <stddef.h>

LLVMValueRef cofl_phi_anew(LLVMBuilderRef builder, LLVMValueRef phi,
			   cofl_phi_way *way, void *arg)
{
	unsigned n = LLVMCountIncoming(phi);
	LLVMValueRef fresh;

	LLVMPositionBuilderBefore(builder, phi);
	fresh = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
	if (LLVMCanValueUseFastMathFlags(phi))
		LLVMSetFastMathFlags(fresh, LLVMGetFastMathFlags(phi));
	for (unsigned i = 0; i < n; i++) {
		LLVMBasicBlockRef from = way(arg, LLVMGetIncomingBlock(phi, i));
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);

		if (v == phi)
			v = fresh;
		if (from != NULL)
			LLVMAddIncoming(fresh, &v, &from, 1);
	}
	LLVMReplaceAllUsesWith(phi, fresh);
	LLVMInstructionEraseFromParent(phi);
	return fresh;
}
