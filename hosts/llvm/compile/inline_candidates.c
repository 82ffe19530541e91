/*
 * inline_candidates.c - see inline_candidates.h
 */
#include "compile/inline_candidates.h"

#include "ir/attribute.h"
#include "ir/blockaddress.h"
#include "ir/body.h"
#include "ir/copy.h"
#include "ir/instruction.h"
#include "support/tuning.h"

/* Code generation adds the calls of -finstrument-functions-after-inlining and
 * its kin, of a function as it is; what is inlined has none. */
static bool tells_of_calls(LLVMValueRef f)
{
	return cofl_attribute_text(f, "instrument-function-entry-inlined") ||
	       cofl_attribute_text(f, "instrument-function-exit-inlined");
}

bool cofl_inline_candidates_may(struct cofl_copy *copy,
				const struct cofl_method *m)
{
	LLVMValueRef f = copy->function[m->number];
	const struct cof_method *now = cofl_method_now(m);

	return !m->pinned &&
	       (now == NULL || !cof_method_is_left_alone(now)) &&
	       !cofl_attribute_has(f, "noinline") &&
	       !cofl_attribute_has(f, "optnone") && !tells_of_calls(f) &&
	       !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) &&
	       cofl_copy_body(copy, m->number) && !cofl_blockaddress_jumps(f);
}

/* How many instructions a callee may have that is called so often. The inliner
 * has thresholds of its own. */
static uint32_t limit_of(const struct cofl_unit_members *g,
			 const struct cofl_unit_body *caller, uint64_t count)
{
	if (caller->heat.node == NULL)
		return caller->depth < COFL_TUNE(inline_unknown_depth) ?
		       COFL_TUNE(inline_unknown) : 0;
	if (caller->depth >= COFL_TUNE(inline_depth) || count == 0)
		return 0;
	return count >= g->summary.hot ? COFL_TUNE(inline_hot) :
					 COFL_TUNE(inline_warm);
}

/* Show the callee, if it could be inlined. False: ->why. */
static bool consider(struct cofl_unit_members *g, size_t caller, int64_t number,
		     uint64_t count)
{
	uint32_t depth = g->body[caller].depth + 1, n;
	uint32_t limit = limit_of(g, &g->body[caller], count);
	struct cofl_method *m;
	LLVMValueRef f;

	if (number < 0 || limit == 0)
		return true;
	m = &g->host->method[number];
	f = g->copy->function[number];
	if (cofl_map_get(&g->index, f) != NULL ||
	    !cofl_inline_candidates_may(g->copy, m))
		return true;
	n = cofl_instruction_count(f);
	if (n > limit || g->shown + n > g->limit)
		return true;
	if (cofl_method_added(m) == NULL)
		return true;
	g->shown += n;
	return cofl_unit_members_add(g, m, depth);
}

/* The targets of an indirect call that ran `count` times, by their shares. */
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

/* The callees of a body, with the count of the block that calls them. */
static bool add_callees(struct cofl_unit_members *g, size_t k)
{
	const uint64_t *node = g->body[k].heat.node;
	const struct cofl_top *top = g->body[k].heat.site;
	struct cofl_body body;
	bool ok = true;
	uint32_t site = 0;

	cofl_body_read(&body, g->body[k].from);
	for (uint32_t b = 0; b < body.n_blocks && ok; b++) {
		uint64_t count = node ? node[b + 1] : 0;

		for (LLVMValueRef i = LLVMGetFirstInstruction(body.block[b]);
		     i != NULL && ok; i = LLVMGetNextInstruction(i)) {
			LLVMOpcode op = LLVMGetInstructionOpcode(i);

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
	size_t limit = n_members * COFL_TUNE(inline_member);

	g->limit = limit < COFL_TUNE(inline_unit) ? (uint32_t)limit :
						    COFL_TUNE(inline_unit);
	for (size_t k = 0; k < g->n; k++)
		if (!add_callees(g, k))
			return false;
	return true;
}
