/*
 * osr_mark.h - small things that osr_mark.c and osr_point.c both say
 */
#ifndef COFL_OSR_MARK_H
#define COFL_OSR_MARK_H

#include "copy.h"
#include "osr.h"

static inline LLVMTypeRef cofl_osr_pointer(const struct cofl_unit *unit)
{
	return LLVMPointerTypeInContext(unit->copy->context, 0);
}

static inline LLVMValueRef cofl_osr_number(const struct cofl_unit *unit,
					   uint64_t v)
{
	return LLVMConstInt(LLVMInt32TypeInContext(unit->copy->context), v, 0);
}

static inline LLVMValueRef cofl_osr_function(LLVMValueRef i)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
}

#endif /* COFL_OSR_MARK_H */
