/*
 * ir_text.h - a module from LLVM's text
 */
#pragma once

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

/* Both are the caller's. */
static inline LLVMModuleRef ir_text(const char *text, LLVMContextRef *context)
{
	LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(
		text, strlen(text), "test");
	LLVMModuleRef module;
	char *error = NULL;

	*context = LLVMContextCreate();
	if (LLVMParseIRInContext(*context, b, &module, &error))
		fail_msg("%s", error);
	return module;
}
