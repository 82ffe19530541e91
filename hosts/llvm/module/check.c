/*
 * check.c - see check.h
 */
#include "module/check.h"

#include <stdint.h>
#include <stdio.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "ir/copy.h"
#include "ir/instruction.h"
#include "support/tuning.h"

/* The copy is opened anew when it has read many bodies, which frees them. */
static struct cofl_copy *renew(struct cofl_copy *copy,
			       LLVMMemoryBufferRef bitcode, char *why,
			       size_t why_bytes)
{
	cofl_copy_dispose(copy);
	return cofl_copy_open(bitcode, NULL, why, why_bytes);
}

/* All but the bodies. */
static bool check_module(const struct cofl_copy *copy, char *why,
			 size_t why_bytes)
{
	char *said = NULL;
	bool bad = LLVMVerifyModule(copy->module, LLVMReturnStatusAction,
				    &said);

	if (bad)
		snprintf(why, why_bytes, "damaged bitcode: %s", said);
	LLVMDisposeMessage(said);
	return !bad;
}

bool cofl_check(const void *bytes, size_t n_bytes, char *why, size_t why_bytes)
{
	LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(
		bytes, n_bytes, "", 0);
	struct cofl_copy *copy = renew(NULL, bitcode, why, why_bytes);
	bool good = copy != NULL && check_module(copy, why, why_bytes);
	uint32_t n_read = 0;

	for (uint32_t i = 0; good && i < copy->n_functions; i++) {
		good = cofl_copy_body(copy, i);
		if (!good) {
			snprintf(why, why_bytes, "%s", copy->error);
			break;
		}
		n_read += cofl_instruction_count(copy->function[i]);
		if (n_read < COFL_TUNE(piece_copy_most))
			continue;
		copy = renew(copy, bitcode, why, why_bytes);
		good = copy != NULL;
		n_read = 0;
	}
	cofl_copy_dispose(copy);
	LLVMDisposeMemoryBuffer(bitcode);
	return good;
}
