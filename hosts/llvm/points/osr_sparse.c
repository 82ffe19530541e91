/*
 * osr_sparse.c - see osr_sparse.h
 */
#include "points/osr_sparse.h"

#include <string.h>

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

void cofl_osr_sparse(struct cofl_osr_entries *osr, const bool *keep,
		     uint32_t most_live)
{
	uint32_t live = 0;

	for (uint32_t k = 0; k < osr->loops.n_loops; k++) {
		bool *possible = &osr->entry[k].possible;
		bool inside = is_inside(osr, k);

		if (!*possible || (keep != NULL && keep[k]))
			continue;
		if (!is_worth_it(&osr->loops, k)) {
			*possible = false;
		} else if (inside) {
			live += osr->loops.loop[k].n_live;
			*possible = live <= most_live;
		}
	}
}
