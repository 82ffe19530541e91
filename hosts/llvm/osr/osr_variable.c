/*
 * osr_variable.c - variables that may move to the continuation's frame
 */
#include "osr/osr_continue.h"

#include <string.h>

#include <llvm-c/Target.h>

#include "ir/attribute.h"

void cofl_osr_drop_lifetimes(struct cofl_continuing *c)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->to); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef i = LLVMGetFirstInstruction(b), next;

		for (; i != NULL; i = next) {
			const char *name = LLVMIsACallInst(i) ?
					   cofl_osr_entry_callee_name(i) : NULL;

			next = LLVMGetNextInstruction(i);
			if (name && strncmp(name, "llvm.lifetime.", 14) == 0)
				LLVMInstructionEraseFromParent(i);
		}
	}
}

/* Does the call capture the address that it is given? */
static bool captures(LLVMValueRef call, LLVMValueRef address)
{
	unsigned n = LLVMGetNumArgOperands(call);
	const char *name = cofl_osr_entry_callee_name(call);
	unsigned kind = cofl_attribute_kind("captures");

	if (LLVMGetCalledValue(call) == address)
		return true;
	if (name != NULL && (strncmp(name, "llvm.memcpy.", 12) == 0 ||
			     strncmp(name, "llvm.memmove.", 13) == 0 ||
			     strncmp(name, "llvm.memset.", 12) == 0))
		return false;
	for (unsigned i = 0; i < n; i++) {
		LLVMAttributeRef a;

		if (LLVMGetOperand(call, i) != address)
			continue;
		a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
		if (a == NULL && name != NULL)
			a = LLVMGetEnumAttributeAtIndex(
				LLVMGetCalledValue(call), i + 1, kind);
		if (a == NULL || LLVMGetEnumAttributeValue(a) != 0)
			return true;
	}
	return false;
}

static bool is_live(const struct cofl_continuing *c, LLVMValueRef v)
{
	for (uint32_t i = 0; i < c->loop->n_live; i++)
		if (c->live[i] == v)
			return true;
	return false;
}

/* Is this store for the next continuation, which takes the variable over? */
static bool hands_over(const struct cofl_continuing *c, LLVMValueRef store)
{
	LLVMValueRef to = LLVMGetOperand(store, 1);

	return c->buffer != NULL && LLVMIsAGetElementPtrInst(to) &&
	       LLVMGetOperand(to, 0) == c->buffer;
}

/*
 * Is the address known to these instructions only? Then the variable may move.
 * A live address of a part of it would lead to the old place.
 */
static bool is_private(const struct cofl_continuing *c, LLVMValueRef address)
{
	for (LLVMUseRef u = LLVMGetFirstUse(address); u != NULL;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);

		switch (LLVMGetInstructionOpcode(i)) {
		case LLVMLoad:
			break;
		case LLVMStore:
			if (LLVMGetOperand(i, 0) == address &&
			    !hands_over(c, i))
				return false;
			break;
		case LLVMGetElementPtr:
			if (is_live(c, i) || !is_private(c, i))
				return false;
			break;
		case LLVMCall:
			if (captures(i, address))
				return false;
			break;
		default:
			return false;
		}
	}
	return true;
}

LLVMValueRef cofl_osr_move(struct cofl_continuing *c, LLVMValueRef variable,
			   LLVMValueRef old)
{
	LLVMTypeRef type = LLVMGetAllocatedType(variable);
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->unit->module);
	unsigned align = LLVMGetAlignment(variable);
	LLVMValueRef size, moved;

	LLVMPositionBuilderBefore(c->builder,
				  LLVMGetFirstInstruction(c->entry));
	moved = LLVMBuildAlloca(c->builder, type, "");
	LLVMSetAlignment(moved, align);
	size = LLVMConstInt(LLVMInt64TypeInContext(c->context),
			    LLVMABISizeOfType(layout, type), 0);
	LLVMPositionBuilderBefore(c->builder,
				  LLVMGetBasicBlockTerminator(c->last));
	LLVMBuildMemCpy(c->builder, moved, align, old, align, size);
	return moved;
}

static bool is_simple(LLVMValueRef variable)
{
	LLVMValueRef n = LLVMGetOperand(variable, 0);

	return LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) == 1;
}

void cofl_osr_find_moved(struct cofl_continuing *c)
{
	for (uint32_t i = 0; i < c->loop->n_live; i++) {
		LLVMValueRef v = c->live[i];

		c->moved[i] = !c->unit->osr_tail && v != NULL &&
			      LLVMIsAAllocaInst(v) &&
			      !cofl_osr_reached(c, v) && is_simple(v) &&
			      is_private(c, v);
	}
}
