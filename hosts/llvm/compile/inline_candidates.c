/*
 * inline_candidates.c - by size, count and depth; see inline_candidates.h
 */
#include "compile/inline_candidates.h"

#include "compile/annotate.h"
#include "ir/attribute.h"
#include "ir/body.h"
#include "ir/copy.h"
#include "ir/instruction.h"
#include "ir/blockaddress.h"
#include "support/tuning.h"

bool cofl_inline_candidates_may(struct cofl_copy *copy, const struct cofl_method *m)
{
	LLVMValueRef f = copy->function[m->number];

	return !m->pinned && !cofl_attribute_has(f, "noinline") &&
	       !cofl_attribute_has(f, "optnone") &&
	       !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) &&
	       cofl_copy_body(copy, m->number) && !cofl_blockaddress_jumps(f);
}

/* Instructions of a callee that the inliner is shown, by how often it is called
 * from there; the inliner has thresholds of its own. */
static uint32_t limit_of(const struct cofl_unit_members *g,
			 const struct cofl_unit_member *caller, uint64_t count)
{
	if (caller->heat.node == NULL)
		return caller->depth < COFL_TUNE(inline_unknown_depth) ?
			       COFL_TUNE(inline_unknown) :
			       0;
	if (caller->depth >= COFL_TUNE(inline_depth) || count == 0)
		return 0;
	return count >= g->summary.hot ? COFL_TUNE(inline_hot) :
					 COFL_TUNE(inline_warm);
}

/* Show a callee that is called so often, if it could be inlined. */
static bool consider(struct cofl_unit_members *g, size_t caller, int64_t number,
		     uint64_t count)
{
	uint32_t depth = g->part[caller].depth + 1, n;
	uint32_t limit = limit_of(g, &g->part[caller], count);
	struct cofl_method *m;
	LLVMValueRef f;

	if (number < 0 || limit == 0)
		return true;
	m = &g->host->method[number];
	f = g->copy->function[number];
	if (cofl_map_get(&g->index, f) != NULL || !cofl_inline_candidates_may(g->copy, m))
		return true;
	n = cofl_instruction_count(f);
	if (n > limit || g->shown + n > g->limit)
		return true;
	g->shown += n;
	return cofl_unit_members_add(g, m, false, depth);
}

/* What an indirect call that ran so often was seen to call, each by its share. */
static bool consider_targets(struct cofl_unit_members *g, size_t caller,
			     const struct cofl_top *top, uint64_t count)
{
	uint64_t sum = 0;
	bool ok = true;

	for (uint32_t j = 0; j < COFL_TOP; j++)
		sum += top->seen[j].count;
	for (uint32_t j = 0; j < COFL_TOP && ok; j++) {
		const struct cofl_seen *seen = &top->seen[j];
		double share = (double)seen->count / (double)(sum ? sum : 1);

		if (seen->count != 0 && seen->value < g->host->n_methods)
			ok = consider(g, caller, (int64_t)seen->value,
				      (uint64_t)((double)count * share));
	}
	return ok;
}

/* Callees of a part, the block's count with each. */
static bool add_callees(struct cofl_unit_members *g, size_t k)
{
	struct cofl_body body;
	bool ok = true;
	uint32_t site = 0;

	cofl_body_read(&body, g->part[k].from);
	for (uint32_t b = 0; b < body.n_blocks && ok; b++) {
		const uint64_t *node = g->part[k].heat.node;
		uint64_t count = node ? node[b + 1] : 0;

		for (LLVMValueRef i = LLVMGetFirstInstruction(body.block[b]);
		     i != NULL && ok; i = LLVMGetNextInstruction(i)) {
			LLVMOpcode op = LLVMGetInstructionOpcode(i);
			const struct cofl_top *top = g->part[k].heat.site;

			if (op != LLVMCall && op != LLVMInvoke)
				continue;
			if (site < body.outline.n_sites &&
			    i == body.site[site])
				site++;
			if (!cofl_body_is_indirect_call(i))
				ok = consider(g, k, cofl_copy_number(
					g->copy, LLVMGetCalledValue(i)), count);
			else if (top != NULL && node != NULL)
				ok = consider_targets(g, k, &top[site - 1],
						      count);
		}
	}
	cofl_body_free(&body);
	return ok;
}

bool cofl_inline_candidates_show(struct cofl_unit_members *g, size_t n_members)
{
	g->limit = n_members * COFL_TUNE(inline_member) <
				   COFL_TUNE(inline_unit) ?
			   (uint32_t)n_members * COFL_TUNE(inline_member) :
			   COFL_TUNE(inline_unit);
	for (size_t k = 0; k < g->n; k++)
		if (!add_callees(g, k))
			return false;
	return true;
}
