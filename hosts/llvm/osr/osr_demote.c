/*
 * osr_demote.c - a value with two definitions becomes a variable
 */
#include "osr/osr_continue.h"

#include <stdlib.h>

#include "ir/llvm_shim.h"
#include "support/xcalloc.h"

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

void cofl_osr_demote(struct cofl_continuing *c, uint32_t i)
{
	LLVMValueRef variable = cofl_llvm_shim_demote(c->live[i]);

	if (variable == NULL)
		return;
	LLVMPositionBuilderBefore(c->builder,
				  LLVMGetBasicBlockTerminator(c->last));
	LLVMBuildStore(c->builder, c->loaded[i], variable);
}
