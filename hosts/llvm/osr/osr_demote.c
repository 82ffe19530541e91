/*
 * osr_demote.c - a value with two definitions becomes a variable
 */
#include "osr/osr_continue.h"

#include "ir/llvm_shim.h"

void cofl_osr_note_reached(struct cofl_continuing *c, LLVMBasicBlockRef header)
{
	cofl_llvm_shim_reach(header, &c->reached);
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
