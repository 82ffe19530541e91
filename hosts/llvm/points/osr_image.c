/*
 * osr_image.c - see osr_image.h
 */
#include "points/osr_image.h"

#include <stdlib.h>
#include <string.h>

#include "ir/copy.h"
#include "points/osr_mark.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

/*
 * A point costs a little. So in fast code a loop has one only if it calls, or
 * has loops in it. A header that ends in an indirect branch has none: code
 * generators copy such a block for each way to it.
 */
static bool is_worth_it(const struct cofl_loops *l, uint32_t loop)
{
	uint32_t header = l->loop[loop].header;

	if (LLVMIsAIndirectBrInst(
		    LLVMGetBasicBlockTerminator(l->block[header])))
		return false;
	for (uint32_t k = 0; k < l->n_loops; k++)
		if (l->loop[k].parent == loop)
			return true;
	for (uint32_t b = 0; b < l->n_blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(l->block[b]);

		for (; l->loop_of[b] == loop && i != NULL;
		     i = LLVMGetNextInstruction(i)) {
			const char *name;

			if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
				continue;
			name = cofl_osr_entry_callee_name(i);
			if (name == NULL || strncmp(name, "llvm.", 5) != 0)
				return true;
		}
	}
	return false;
}

/* Does a loop around it have a point, where frames can leave a little later? */
static bool is_inside(const struct cofl_osr_entries *osr, uint32_t loop)
{
	const struct cofl_loops *l = &osr->loops;

	for (uint32_t k = l->loop[loop].parent; k != COFL_NO_LOOP;
	     k = l->loop[k].parent)
		if (osr->entry[k].possible)
			return true;
	return false;
}

/*
 * Each point stores the values live there, and keeps them alive up to it. With
 * dozens of points a large interpreter's loop compiles to three times the code,
 * in twice the time. So inner loops share a number of live values, outer loops
 * first.
 */
static void thin_out(struct cofl_osr_entries *osr, const bool *keep, bool fast)
{
	uint32_t live = 0;

	for (uint32_t k = 0; k < osr->loops.n_loops; k++) {
		bool *possible = &osr->entry[k].possible;
		bool inside = is_inside(osr, k);

		if (!*possible || (keep != NULL && keep[k]))
			continue;
		if (fast && !is_worth_it(&osr->loops, k)) {
			*possible = false;
		} else if (inside) {
			live += osr->loops.loop[k].n_live;
			*possible = live <= COFL_TUNE(osr_live);
		}
	}
}

void cofl_osr_image_sparse(struct cofl_clone *unit, const bool *keep)
{
	if (unit->osr != NULL)
		thin_out(unit->osr, keep, true);
}

void cofl_osr_image_affordable(struct cofl_clone *unit)
{
	if (unit->osr != NULL)
		thin_out(unit->osr, NULL, false);
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
