/*
 * sink.c - copies of constant offsets, a block each; see sink.h
 */
#include "ir/sink.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "ir/map.h"
#include "ir/users.h"

#define PASSES 8	/* offsets of offsets of offsets ... */

/* base + constant, one address. */
static bool is_offset(LLVMValueRef i)
{
	int n = LLVMGetNumOperands(i);

	if (!LLVMIsAGetElementPtrInst(i) ||
	    LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind)
		return false;
	for (int k = 1; k < n; k++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(i, (unsigned)k)))
			return false;
	return true;
}

/* Where in a block something may stand first. */
static LLVMValueRef first_place(LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);

	while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

/* What `offset` is in block b, which is not its own. */
static LLVMValueRef in_block(LLVMBuilderRef builder, struct cofl_map *copies,
			     LLVMValueRef offset, LLVMBasicBlockRef b)
{
	LLVMValueRef copy = cofl_map_get(copies, b);

	if (copy == NULL) {
		copy = LLVMInstructionClone(offset);
		LLVMPositionBuilderBefore(builder, first_place(b));
		LLVMInsertIntoBuilder(builder, copy);
		cofl_map_put(copies, b, copy);
	}
	return copy;
}

/* The block that operand k of `user` has to be there in: a PHI uses it at the end
 * of the one it comes from. */
static LLVMBasicBlockRef needed_in(LLVMValueRef user, int k)
{
	return LLVMIsAPHINode(user) ?
	       LLVMGetIncomingBlock(user, (unsigned)k) :
	       LLVMGetInstructionParent(user);
}

/* Returns whether anything changed. */
static bool sink(LLVMBuilderRef builder, LLVMValueRef offset)
{
	LLVMBasicBlockRef home = LLVMGetInstructionParent(offset);
	struct cofl_map copies = { 0 };	/* block -> the copy in it */
	uint32_t n;
	LLVMValueRef *user = cofl_users(offset, &n);
	bool changed = false;

	for (uint32_t i = 0; i < n; i++)
		for (int k = LLVMGetNumOperands(user[i]); k-- > 0;) {
			LLVMBasicBlockRef b;

			if (LLVMGetOperand(user[i], (unsigned)k) != offset)
				continue;
			b = needed_in(user[i], k);
			if (b == home)
				continue;
			LLVMSetOperand(user[i], (unsigned)k,
				       in_block(builder, &copies, offset, b));
			changed = true;
		}
	free(user);
	cofl_map_free(&copies);
	if (LLVMGetFirstUse(offset) == NULL)
		LLVMInstructionEraseFromParent(offset);
	return changed;
}

void cofl_sink(LLVMBuilderRef builder, LLVMValueRef f)
{
	bool changed = true;

	for (int pass = 0; changed && pass < PASSES; pass++) {
		changed = false;
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
		     b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef i = LLVMGetFirstInstruction(b), next;

			for (; i != NULL; i = next) {
				next = LLVMGetNextInstruction(i);
				if (is_offset(i))
					changed |= sink(builder, i);
			}
		}
	}
}
