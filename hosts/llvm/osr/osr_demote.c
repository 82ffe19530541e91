/*
 * osr_demote.c - a value with two definitions becomes a variable
 */
#include "osr/osr_continue.h"

#include <stdlib.h>

#include "ir/llvm_shim.h"
#include "support/xcalloc.h"
#include "ir/users.h"

void cofl_osr_note_reached(struct cofl_continuing *c, LLVMBasicBlockRef from)
{
	LLVMBasicBlockRef *todo = cofl_xcalloc(LLVMCountBasicBlocks(c->to),
					    sizeof(LLVMBasicBlockRef));
	uint32_t n = 0;

	cofl_map_put(&c->reached, from, from);
	todo[n++] = from;
	while (n > 0) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(todo[--n]);

		for (unsigned i = 0, k = LLVMGetNumSuccessors(end); i < k; i++) {
			LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

			if (cofl_map_get(&c->reached, to) != NULL)
				continue;
			cofl_map_put(&c->reached, to, to);
			todo[n++] = to;
		}
	}
	free(todo);
}

bool cofl_osr_reached(const struct cofl_continuing *c, LLVMValueRef v)
{
	return cofl_map_get(&c->reached, LLVMGetInstructionParent(v)) != NULL;
}

struct way {
	LLVMBasicBlockRef was, now;
};

static LLVMBasicBlockRef way(void *arg, LLVMBasicBlockRef from)
{
	const struct way *w = arg;

	return from == w->was ? w->now : from;
}

/* A block of its own on an invoke's way on, where its result is there. */
static LLVMBasicBlockRef split_invoke(struct cofl_continuing *c,
				      LLVMValueRef invoke)
{
	LLVMBasicBlockRef from = LLVMGetInstructionParent(invoke);
	LLVMBasicBlockRef to = LLVMGetNormalDest(invoke);
	LLVMBasicBlockRef middle = cofl_osr_block(c);
	struct way w = { from, middle };

	LLVMPositionBuilderAtEnd(c->builder, middle);
	LLVMBuildBr(c->builder, to);
	LLVMSetNormalDest(invoke, middle);
	cofl_map_put(&c->reached, middle, middle);
	for (LLVMValueRef i = LLVMGetFirstInstruction(to); LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		cofl_llvm_shim_redirect(i, way, &w);
	return middle;
}

/* Before which instruction is the value stored, once it is there? */
static LLVMValueRef after(struct cofl_continuing *c, LLVMValueRef v)
{
	LLVMValueRef i;

	if (LLVMIsAInvokeInst(v))
		return LLVMGetFirstInstruction(split_invoke(c, v));
	i = LLVMGetNextInstruction(v);
	while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

static LLVMValueRef load_before(struct cofl_continuing *c,
				LLVMValueRef variable, LLVMTypeRef type,
				LLVMValueRef i)
{
	LLVMPositionBuilderBefore(c->builder, i);
	return LLVMBuildLoad2(c->builder, type, variable, "");
}

/* All uses of v by this PHI, at the end of the blocks they come from. */
static void load_for_phi(struct cofl_continuing *c, LLVMValueRef phi,
			 LLVMValueRef v, LLVMValueRef variable)
{
	unsigned n = LLVMCountIncoming(phi);

	for (unsigned i = 0; i < n; i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef loaded;

		if (LLVMGetIncomingValue(phi, i) != v)
			continue;
		loaded = load_before(c, variable, LLVMTypeOf(v),
				     LLVMGetBasicBlockTerminator(from));
		/* One block, more than once: one value. */
		for (unsigned k = i; k < n; k++)
			if (LLVMGetIncomingBlock(phi, k) == from)
				LLVMSetOperand(phi, k, loaded);
	}
}

/* All but `stored`. */
static void load_at_uses(struct cofl_continuing *c, LLVMValueRef v,
			 LLVMValueRef variable, LLVMValueRef stored)
{
	uint32_t n;
	LLVMValueRef *user = cofl_users(v, &n);

	for (uint32_t i = 0; i < n; i++) {
		int k = LLVMGetNumOperands(user[i]);
		LLVMValueRef loaded = NULL;

		if (user[i] == stored)
			continue;
		if (LLVMIsAPHINode(user[i])) {
			load_for_phi(c, user[i], v, variable);
			continue;
		}
		while (k-- > 0) {
			if (LLVMGetOperand(user[i], (unsigned)k) != v)
				continue;
			if (loaded == NULL)
				loaded = load_before(c, variable, LLVMTypeOf(v),
						     user[i]);
			LLVMSetOperand(user[i], (unsigned)k, loaded);
		}
	}
	free(user);
}

void cofl_osr_demote(struct cofl_continuing *c, uint32_t i)
{
	LLVMValueRef variable, at, stored;

	/* First what changes PHIs, which may be live values. */
	at = after(c, c->live[i]);
	LLVMPositionBuilderBefore(c->builder, LLVMGetFirstInstruction(c->entry));
	variable = LLVMBuildAlloca(c->builder, LLVMTypeOf(c->live[i]), "");
	/* The store comes before the loads: one may stand right behind it. */
	LLVMPositionBuilderBefore(c->builder, at);
	stored = LLVMBuildStore(c->builder, c->live[i], variable);
	load_at_uses(c, c->live[i], variable, stored);
	LLVMPositionBuilderBefore(c->builder,
				  LLVMGetBasicBlockTerminator(c->last));
	LLVMBuildStore(c->builder, c->loaded[i], variable);
}
