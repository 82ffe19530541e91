/*
 * insert.c - where an increment goes: to an end of its edge where no other edge
 * is; else to a block in the edge; else (an indirect branch, or unwinding) to
 * the edge's target, where a PHI says which counter
 */
#include "count/insert.h"

#include <stdlib.h>

#include "ir/attribute.h"
#include "ir/copy.h"
#include "ir/frame.h"
#include "ir/llvm_shim.h"
#include "link/process_words.h"
#include "points/process_words_ir.h"
#include "support/map.h"
#include "support/xcalloc.h"

/* Clang's name for the address space of %fs. */
#define FS_SPACE 257

/* A process word; anew: so that no frame keeps it. */
#define word(s, type, field)						\
	cofl_process_words_ir_load((s)->unit, type,			\
				offsetof(struct cofl_process_words, field), \
				(s)->anew)

/* -- Building -------------------------------------------------------------- */

struct inserting {
	struct cofl_clone          *unit;
	LLVMBuilderRef              builder;
	LLVMContextRef              context;
	LLVMTypeRef                 i8, i64, ptr;
	LLVMValueRef                function;
	LLVMValueRef                range;	/* pointer to this thread's */
	bool                        anew;	/* no frame keeps the range */
	LLVMValueRef                seen;	/* counts values */
	const struct cofl_body     *body;
	const struct cofl_counters *counters;
	uint32_t                   *n_in, *n_out; /* edges by node */
	struct cofl_map             number;	/* block -> node */
	LLVMBasicBlockRef          *middle;	/* by edge; NULL: not split */
	bool                       *by_phi;	/* by edge */
};

static LLVMValueRef number(struct inserting *s, uint64_t v)
{
	return LLVMConstInt(s->i64, v, 0);
}

static LLVMValueRef address(struct inserting *s, LLVMValueRef base,
			    LLVMValueRef offset)
{
	return LLVMBuildGEP2(s->builder, s->i8, base, &offset, 1, "");
}

/* Found at the function's start; in a recursion for each increment. */
static LLVMValueRef range(struct inserting *s)
{
	LLVMValueRef block;

	if (s->range != NULL && !s->anew)
		return s->range;
	block = LLVMBuildIntToPtr(s->builder, word(s, s->i64, counters_word),
		LLVMPointerTypeInContext(s->context, FS_SPACE), "");
	block = LLVMBuildLoad2(s->builder, s->ptr, block, "");
	LLVMSetVolatile(block, s->anew);
	return address(s, block, word(s, s->i64, counters_offset));
}

static void increment(struct inserting *s, LLVMValueRef at)
{
	LLVMValueRef v = LLVMBuildLoad2(s->builder, s->i64, at, "");

	LLVMBuildStore(s->builder,
		       LLVMBuildAdd(s->builder, v, number(s, 1), ""), at);
}

static LLVMValueRef offset_of(struct inserting *s, uint32_t edge)
{
	return number(s, s->counters->number[edge] * sizeof(uint64_t));
}

static void count_edge(struct inserting *s, uint32_t edge)
{
	increment(s, address(s, range(s), offset_of(s, edge)));
}

static LLVMBasicBlockRef block_of(struct inserting *s, uint32_t node)
{
	return s->body->block[node - 1];
}

/* Behind PHIs and a landing pad, which must come first. */
static void go_to_start(struct inserting *s, LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);

	if (b == LLVMGetEntryBasicBlock(s->function))
		i = LLVMGetNextInstruction(s->range);
	while (LLVMGetInstructionOpcode(i) == LLVMPHI)
		i = LLVMGetNextInstruction(i);
	if (LLVMGetInstructionOpcode(i) == LLVMLandingPad)
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(s->builder, i);
}

/* In front of the terminator, and of a call that must come right before it; at
 * the start of a block whose end is not reached. */
static void go_to_end(struct inserting *s, LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
	LLVMValueRef before = LLVMGetPreviousInstruction(end);

	if (LLVMGetInstructionOpcode(end) == LLVMUnreachable) {
		go_to_start(s, b);
		return;
	}
	if (LLVMGetInstructionOpcode(end) == LLVMRet && before != NULL &&
	    LLVMGetInstructionOpcode(before) == LLVMCall &&
	    LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail)
		end = before;
	LLVMPositionBuilderBefore(s->builder, end);
}

/* -- Values ---------------------------------------------------------------- */

/*
 * Define void seen(struct cofl_top *top, uint64_t value). It counts the most
 * frequent value itself; cofl_profile_top_miss() counts any other.
 */
static LLVMValueRef add_seen(struct inserting *s, LLVMModuleRef module)
{
	LLVMTypeRef params[2] = { s->ptr, s->i64 };
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context),
					    params, 2, 0);
	LLVMValueRef f = LLVMAddFunction(module, "cof.seen", type);
	LLVMBasicBlockRef block[3];	/* entry, hit, miss */
	LLVMValueRef args[2] = { LLVMGetParam(f, 0), LLVMGetParam(f, 1) };
	static const char *const attributes[] = { "alwaysinline", "nounwind" };

	for (size_t i = 0; i < 2; i++)
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
			LLVMCreateEnumAttribute(s->context,
				cofl_attribute_kind(attributes[i]), 0));
	LLVMSetLinkage(f, LLVMInternalLinkage);
	for (size_t i = 0; i < 3; i++)
		block[i] = LLVMAppendBasicBlockInContext(s->context, f, "");
	LLVMPositionBuilderAtEnd(s->builder, block[0]);
	LLVMBuildCondBr(s->builder,
		LLVMBuildICmp(s->builder, LLVMIntEQ, args[1],
			LLVMBuildLoad2(s->builder, s->i64, args[0], ""), ""),
		block[1], block[2]);
	LLVMPositionBuilderAtEnd(s->builder, block[1]);
	increment(s, address(s, args[0],
			     number(s, offsetof(struct cofl_seen, count))));
	LLVMBuildRetVoid(s->builder);
	LLVMPositionBuilderAtEnd(s->builder, block[2]);
	LLVMBuildCall2(s->builder, type, word(s, s->ptr, top_miss), args, 2,
		       "");
	LLVMBuildRetVoid(s->builder);
	return f;
}

static void count_sites(struct inserting *s)
{
	for (uint32_t k = 0; k < s->body->outline.n_sites; k++) {
		LLVMValueRef value = cofl_body_value(s->body, k), args[2];

		LLVMPositionBuilderBefore(s->builder, s->body->site[k]);
		args[0] = address(s, range(s),
				  number(s, s->counters->sites +
					    k * sizeof(struct cofl_top)));
		args[1] = s->body->kind[k] == COFL_SITE_CALL ?
			  LLVMBuildPtrToInt(s->builder, value, s->i64, "") :
			  LLVMBuildIntCast2(s->builder, value, s->i64, 0, "");
		LLVMBuildCall2(s->builder, LLVMGlobalGetValueType(s->seen),
			       s->seen, args, 2, "");
	}
}

/* -- Edges ----------------------------------------------------------------- */

/* From *k on, the next successor of its block through which the edge leads. */
static bool next_successor(struct inserting *s, uint32_t e, unsigned *k)
{
	uint32_t b = s->body->graph.edge[e].from - 1;

	for (; s->body->first[b] + *k < s->body->first[b + 1]; ++*k)
		if (s->body->edge[s->body->first[b] + *k] == e)
			return true;
	return false;
}

/* Can a block be put into this edge? Not into one of an indirect branch, nor
 * one for unwinding. */
static bool can_split(struct inserting *s, uint32_t e)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(
		block_of(s, s->body->graph.edge[e].from));
	unsigned k = 0;

	switch (LLVMGetInstructionOpcode(end)) {
	case LLVMBr:
	case LLVMSwitch:
		return true;
	case LLVMInvoke:
		return next_successor(s, e, &k) && k == 0;
	default:
		return false;
	}
}

static void split(struct inserting *s, uint32_t e)
{
	const struct cofl_edge *edge = &s->body->graph.edge[e];
	LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(
		s->context, s->function, "");
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block_of(s, edge->from));

	LLVMPositionBuilderAtEnd(s->builder, b);
	count_edge(s, e);
	LLVMBuildBr(s->builder, block_of(s, edge->to));
	for (unsigned k = 0; next_successor(s, e, &k); k++)
		LLVMSetSuccessor(end, k, b);
	s->middle[e] = b;
}

static void place_edge(struct inserting *s, uint32_t e)
{
	const struct cofl_edge *edge = &s->body->graph.edge[e];
	bool is_entry = edge->from == COFL_OUTSIDE;

	if (!is_entry && s->n_out[edge->from] == 1) {
		go_to_end(s, block_of(s, edge->from));
		count_edge(s, e);
	} else if (is_entry || s->n_in[edge->to] == 1) {
		go_to_start(s, block_of(s, edge->to));
		count_edge(s, e);
	} else if (can_split(s, e)) {
		split(s, e);
	} else {
		s->by_phi[e] = true;
	}
}

/* The edge from block `from` to node `to`, which must exist. */
static uint32_t edge_between(struct inserting *s, LLVMBasicBlockRef from,
			     uint32_t to)
{
	uint32_t b = (uint32_t)(uintptr_t)cofl_map_get(&s->number, from) - 1;
	uint32_t at = s->body->first[b];

	while (s->body->graph.edge[s->body->edge[at]].to != to)
		at++;
	return s->body->edge[at];
}

/* Blocks that are in edges to a node now, for a PHI there. */
struct ways {
	struct inserting *s;
	uint32_t          node;
	struct cofl_map   added;
};

static LLVMBasicBlockRef way(void *arg, LLVMBasicBlockRef from)
{
	struct ways *w = arg;
	LLVMBasicBlockRef in = w->s->middle[edge_between(w->s, from, w->node)];

	if (in == NULL)
		return from;
	if (cofl_map_get(&w->added, in) != NULL)
		return NULL;
	cofl_map_put(&w->added, in, in);
	return in;
}

static void redirect_phi(struct inserting *s, LLVMValueRef phi, uint32_t node)
{
	struct ways w = { .s = s, .node = node };

	cofl_llvm_shim_redirect(phi, way, &w);
	cofl_map_free(&w.added);
}

/* At the start of a node: count the edge that control came by, if by_phi. */
static void count_by_phi(struct inserting *s, uint32_t node)
{
	const struct cofl_graph *g = &s->body->graph;
	LLVMBasicBlockRef b = block_of(s, node);
	LLVMValueRef none = number(s, s->counters->n * sizeof(uint64_t)), phi;

	LLVMPositionBuilderBefore(s->builder, LLVMGetFirstInstruction(b));
	phi = LLVMBuildPhi(s->builder, s->i64, "");
	for (uint32_t e = 0; e < g->n_edges; e++) {
		LLVMValueRef v = s->by_phi[e] ? offset_of(s, e) : none;
		LLVMBasicBlockRef from;

		if (g->edge[e].to != node)
			continue;
		if (s->middle[e] != NULL) {
			LLVMAddIncoming(phi, &v, &s->middle[e], 1);
			continue;
		}
		from = block_of(s, g->edge[e].from);
		for (unsigned k = 0; next_successor(s, e, &k); k++)
			LLVMAddIncoming(phi, &v, &from, 1);
	}
	go_to_start(s, b);
	increment(s, address(s, range(s), phi));
}

static void fix_targets(struct inserting *s)
{
	const struct cofl_graph *g = &s->body->graph;
	bool *split_in = cofl_xcalloc(g->n_nodes, sizeof(bool));
	bool *phi_in = cofl_xcalloc(g->n_nodes, sizeof(bool));

	for (uint32_t e = 0; e < g->n_edges; e++) {
		split_in[g->edge[e].to] |= s->middle[e] != NULL;
		phi_in[g->edge[e].to] |= s->by_phi[e];
	}
	for (uint32_t v = 1; v < g->n_nodes; v++) {
		LLVMValueRef i = LLVMGetFirstInstruction(block_of(s, v)), next;

		for (; split_in[v] && LLVMGetInstructionOpcode(i) == LLVMPHI;
		     i = next) {
			next = LLVMGetNextInstruction(i);
			redirect_phi(s, i, v);
		}
		if (phi_in[v])
			count_by_phi(s, v);
	}
	free(split_in);
	free(phi_in);
}

static void count_edges(struct inserting *s)
{
	const struct cofl_graph *g = &s->body->graph;

	for (uint32_t e = 0; e < g->n_edges; e++) {
		s->n_out[g->edge[e].from]++;
		s->n_in[g->edge[e].to]++;
	}
	for (uint32_t b = 0; b < s->body->n_blocks; b++)
		cofl_map_put(&s->number, s->body->block[b],
			     (void *)(uintptr_t)(b + 1));
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (s->counters->chord[e])
			place_edge(s, e);
	fix_targets(s);
}

static void find_range(struct inserting *s)
{
	LLVMPositionBuilderBefore(s->builder, LLVMGetFirstInstruction(
					  LLVMGetEntryBasicBlock(s->function)));
	s->range = range(s);
}

void cofl_insert(struct cofl_clone *unit, LLVMValueRef f,
		 const struct cofl_body *body,
		 const struct cofl_counters *counters)
{
	LLVMContextRef context = unit->copy->context;
	struct inserting s = {
		.unit = unit,
		.builder = unit->copy->builder, .context = context,
		.i8 = LLVMInt8TypeInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.ptr = LLVMPointerTypeInContext(context, 0),
		.function = f, .body = body, .counters = counters,
		.anew = cofl_frame_keeps_calls(f),
		.n_in = cofl_xcalloc(body->graph.n_nodes, sizeof(uint32_t)),
		.n_out = cofl_xcalloc(body->graph.n_nodes, sizeof(uint32_t)),
		.middle = cofl_xcalloc(body->graph.n_edges,
				       sizeof(LLVMBasicBlockRef)),
		.by_phi = cofl_xcalloc(body->graph.n_edges, sizeof(bool)),
	};

	/* It writes counters now. */
	cofl_attribute_drop(f, "memory");
	find_range(&s);
	if (body->outline.n_sites != 0) {
		s.seen = add_seen(&s, unit->module);
		count_sites(&s);
	}
	count_edges(&s);
	free(s.n_in);
	free(s.n_out);
	free(s.middle);
	free(s.by_phi);
	cofl_map_free(&s.number);
}
