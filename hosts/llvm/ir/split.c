/*
 * split.c - see split.h
 */
#include "ir/split.h"

#include "ir/copy.h"

/*
 * The block keeps its terminator, and so its place in the PHIs of what comes
 * after it, which C cannot change. Its uses (branches to it, its address) go to
 * the new block; for LLVM would change those PHIs too, not while it ends in one.
 */
LLVMBasicBlockRef cofl_split(struct cofl_clone *unit, LLVMValueRef at)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMBasicBlockRef rest = LLVMGetInstructionParent(at);
	LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(
		unit->copy->context, rest, "");
	LLVMValueRef end = LLVMGetBasicBlockTerminator(rest), i;

	LLVMPositionBuilderAtEnd(builder, head);
	while ((i = LLVMGetFirstInstruction(rest)) != at) {
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(builder, i);
	}
	LLVMInstructionRemoveFromParent(end);
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(rest),
			       LLVMBasicBlockAsValue(head));
	LLVMPositionBuilderAtEnd(builder, rest);
	LLVMInsertIntoBuilder(builder, end);
	return head;
}
