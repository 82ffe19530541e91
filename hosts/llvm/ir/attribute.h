/*
 * attribute.h - enum attributes of functions, by name
 */
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

unsigned cofl_attribute_kind(const char *name);

/* Has the function it itself, or (at) a parameter or the result? */
bool cofl_attribute_has(LLVMValueRef f, const char *name);
bool cofl_attribute_has_at(LLVMValueRef f, LLVMAttributeIndex at,
			   const char *name);

void cofl_attribute_drop(LLVMValueRef f, const char *name);
