/*
 * osr_image.c - see osr_image.h
 */
#include "points/osr_image.h"

#include <stdlib.h>

#include "ir/copy.h"
#include "points/osr_mark.h"
#include "points/osr_sparse.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

void cofl_osr_image_sparse(struct cofl_clone *unit, const bool *keep)
{
	if (unit->osr != NULL)
		cofl_osr_sparse(unit->osr, keep, true, COFL_TUNE(osr_live));
}

void cofl_osr_image_affordable(struct cofl_clone *unit)
{
	if (unit->osr != NULL)
		cofl_osr_sparse(unit->osr, NULL, false,
				COFL_TUNE(osr_live));
	if (unit->points != NULL)
		cofl_osr_points_poll(unit->points);
}

void cofl_osr_image_begin(struct cofl_clone *unit, uint32_t n_methods)
{
	unit->bases = cofl_xcalloc(n_methods, sizeof(*unit->bases));
	unit->words = LLVMAddGlobal(
		unit->module, LLVMInt8TypeInContext(unit->copy->context),
		COFL_OSR_POINTS_WORDS ".later");
}

void cofl_osr_image_method(struct cofl_clone *unit, LLVMValueRef f, uint32_t i)
{
	if (f != NULL) {
		cofl_osr_mark_prepare(unit, f, true);
		cofl_osr_image_sparse(unit, NULL);
		if (unit->osr != NULL)
			unit->n_words += unit->osr->loops.n_loops;
	}
	unit->bases[i + 1] = unit->n_words;
}

void cofl_osr_image_end(struct cofl_clone *unit, uint32_t n_methods)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(unit->copy->context);
	/* One word more than needed, so that the array is not empty. */
	LLVMTypeRef type = LLVMArrayType2(
		LLVMInt64TypeInContext(unit->copy->context),
		unit->n_words * (sizeof(struct cofl_word) / 8) + 1);
	LLVMValueRef words = LLVMAddGlobal(unit->module, type,
					   COFL_OSR_POINTS_WORDS), bases;
	size_t n = n_methods + (size_t)1;
	LLVMValueRef *v = cofl_xcalloc(n, sizeof(LLVMValueRef));

	LLVMSetInitializer(words, LLVMConstNull(type));
	LLVMSetLinkage(words, LLVMInternalLinkage);
	LLVMSetAlignment(words, 16);
	LLVMReplaceAllUsesWith(unit->words, words);
	LLVMDeleteGlobal(unit->words);
	for (size_t k = 0; k < n; k++)
		v[k] = LLVMConstInt(i32, unit->bases[k], 0);
	bases = LLVMAddGlobal(unit->module, LLVMArrayType2(i32, n),
			      COFL_OSR_POINTS_BASES);
	LLVMSetInitializer(bases, LLVMConstArray2(i32, v, n));
	LLVMSetLinkage(bases, LLVMInternalLinkage);
	LLVMSetGlobalConstant(bases, 1);
	free(v);
	free(unit->bases);
	unit->bases = NULL;
	unit->words = NULL;
	cofl_osr_mark_forget(unit);
}
