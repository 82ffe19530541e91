/*
 * users.h - who uses a value, in a list that stays while operands change
 */
#pragma once

#include <stdint.h>

#include <llvm-c/Core.h>

#include "support/xcalloc.h"

/* Once for each use. To be freed. */
static inline LLVMValueRef *cofl_users(LLVMValueRef v, uint32_t *n)
{
	LLVMValueRef *user;
	uint32_t room = 0;

	for (LLVMUseRef u = LLVMGetFirstUse(v); u != NULL;
	     u = LLVMGetNextUse(u))
		room++;
	user = cofl_xcalloc(room, sizeof(LLVMValueRef));
	*n = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u != NULL;
	     u = LLVMGetNextUse(u))
		user[(*n)++] = LLVMGetUser(u);
	return user;
}
