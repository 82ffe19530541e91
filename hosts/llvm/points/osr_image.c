/*
 * osr_image.c - which loops have points; the points of an image
 */
#include "points/osr_image.h"

#include <stdlib.h>
#include <string.h>

#include "ir/copy.h"
#include "points/osr_mark.h"
#include "support/xcalloc.h"
#include "support/tuning.h"

/*
 * In code that is to be as fast as any a point has its price, little as it is: a
 * loop has one only if it calls, or has loops in it. Not where the way on is an
 * address: code generators make one copy of such a block for each way to it.
 */
static bool is_worth_it(const struct cofl_loops *l, uint32_t loop)
{
	uint32_t header = l->loop[loop].header;

	if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(
		    l->block[header])))
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

/* Is there a point in a loop around it, by which frames leave a little later? */
static bool is_inside(const struct cofl_osr_entries *g, uint32_t loop)
{
	const struct cofl_loops *l = &g->loops;

	for (uint32_t k = l->loop[loop].parent; k != COFL_NO_LOOP;
	     k = l->loop[k].parent)
		if (g->gate[k].possible)
			return true;
	return false;
}

/*
 * Each point stores what is alive there, and all of that is alive up to it: with
 * dozens of them a large interpreter's loop compiles to three times the code, in
 * twice the time. So inner loops share so many values, outer ones first.
 */
static void thin_out(struct cofl_osr_entries *g, const bool *keep, bool everywhere)
{
	uint32_t live = 0;

	for (uint32_t k = 0; k < g->loops.n_loops; k++) {
		bool inside = is_inside(g, k);

		if (!g->gate[k].possible || (keep != NULL && keep[k]))
			continue;
		if (!everywhere && !is_worth_it(&g->loops, k)) {
			g->gate[k].possible = false;
		} else if (inside) {
			live += g->loops.loop[k].n_live;
			g->gate[k].possible = live <= COFL_TUNE(osr_live);
		}
	}
}

void cofl_osr_image_sparse(struct cofl_clone *unit, const bool *keep)
{
	if (unit->gates != NULL)
		thin_out(unit->gates, keep, false);
}

void cofl_osr_image_affordable(struct cofl_clone *unit)
{
	if (unit->gates != NULL)
		thin_out(unit->gates, NULL, true);
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
	struct cofl_osr_entries *g;

	cofl_osr_mark_prepare(unit, f, true);
	cofl_osr_image_sparse(unit, NULL);
	g = unit->gates;
	if (g != NULL)
		unit->n_words += g->loops.n_loops;
	unit->bases[i + 1] = unit->n_words;
}

void cofl_osr_image_none(struct cofl_clone *unit, uint32_t i)
{
	unit->bases[i + 1] = unit->n_words;
}

/* One word more than there are, so that there is one. */
void cofl_osr_image_end(struct cofl_clone *unit, uint32_t n_methods)
{
	LLVMContextRef c = unit->copy->context;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
	size_t n = (size_t)unit->n_words * (sizeof(struct cofl_word) / 8) + 1;
	LLVMValueRef *v = cofl_xcalloc(n > n_methods ? n : n_methods + (size_t)1,
				    sizeof(LLVMValueRef)), words, bases;

	for (size_t k = 0; k < n; k++)
		v[k] = LLVMConstInt(i64, 0, 0);
	words = LLVMAddGlobal(unit->module, LLVMArrayType2(i64, n),
			      COFL_OSR_POINTS_WORDS);
	LLVMSetInitializer(words, LLVMConstArray2(i64, v, n));
	LLVMSetLinkage(words, LLVMInternalLinkage);
	LLVMSetAlignment(words, 16);
	LLVMReplaceAllUsesWith(unit->words, words);
	LLVMDeleteGlobal(unit->words);
	for (uint32_t i = 0; i <= n_methods; i++)
		v[i] = LLVMConstInt(i32, unit->bases[i], 0);
	bases = LLVMAddGlobal(unit->module,
			      LLVMArrayType2(i32, n_methods + (uint64_t)1),
			      COFL_OSR_POINTS_BASES);
	LLVMSetInitializer(bases, LLVMConstArray2(i32, v,
						  n_methods + (uint64_t)1));
	LLVMSetLinkage(bases, LLVMInternalLinkage);
	LLVMSetGlobalConstant(bases, 1);
	free(v);
	free(unit->bases);
	unit->bases = NULL;
	unit->words = NULL;
	cofl_osr_mark_forget(unit);
}
