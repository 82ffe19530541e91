/*
 * attribute.h - attributes of functions, by name
 */
#pragma once

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

static inline unsigned cofl_attribute_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Of a parameter or the result. */
static inline bool cofl_attribute_has_at(LLVMValueRef f, LLVMAttributeIndex at,
					 const char *name)
{
	return LLVMGetEnumAttributeAtIndex(f, at, cofl_attribute_kind(name)) !=
	       NULL;
}

static inline bool cofl_attribute_has(LLVMValueRef f, const char *name)
{
	return cofl_attribute_has_at(f, LLVMAttributeFunctionIndex, name);
}

/* A string attribute, of the function itself. */
static inline bool cofl_attribute_text(LLVMValueRef f, const char *name)
{
	return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex,
					     name, (unsigned)strlen(name)) !=
	       NULL;
}

static inline void cofl_attribute_drop(LLVMValueRef f, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				       cofl_attribute_kind(name));
}

static inline void cofl_attribute_add(LLVMValueRef f, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(
		LLVMGetGlobalParent(f));

	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(
					context, cofl_attribute_kind(name), 0));
}

static inline void cofl_attribute_forbid_inlining(LLVMValueRef f)
{
	cofl_attribute_drop(f, "alwaysinline");
	cofl_attribute_add(f, "noinline");
}
