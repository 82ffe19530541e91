/*
 * attribute.c - see attribute.h
 */
#include "ir/attribute.h"

#include <stddef.h>
#include <string.h>

unsigned cofl_attribute_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool cofl_attribute_has_at(LLVMValueRef f, LLVMAttributeIndex at,
			   const char *name)
{
	return LLVMGetEnumAttributeAtIndex(f, at, cofl_attribute_kind(name)) !=
	       NULL;
}

bool cofl_attribute_has(LLVMValueRef f, const char *name)
{
	return cofl_attribute_has_at(f, LLVMAttributeFunctionIndex, name);
}

void cofl_attribute_drop(LLVMValueRef f, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				       cofl_attribute_kind(name));
}
