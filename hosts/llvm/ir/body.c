/*
 * body.c - read edges and sites off a function
 */
#include "ir/body.h"

#include <stdlib.h>
#include <string.h>

#include "support/map.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

/* -- Sites ----------------------------------------------------------------- */

bool cofl_body_is_indirect_call(LLVMValueRef i)
{
	LLVMValueKind kind;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
	case LLVMInvoke:
		kind = LLVMGetValueKind(LLVMGetCalledValue(i));
		return kind == LLVMInstructionValueKind ||
		       kind == LLVMArgumentValueKind;
	default:
		return false;
	}
}

static bool is_length(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(type) == 64;
}

/* LLVM knows it by its name, in the program and in a clone; its parameters may
 * be anything. No instruction may follow a call that has to be a jump. */
static bool is_comparison(LLVMValueRef call, const char *name)
{
	return (strcmp(name, "memcmp") == 0 || strcmp(name, "bcmp") == 0) &&
	       LLVMGetNumArgOperands(call) == 3 &&
	       is_length(LLVMGetOperand(call, 2)) &&
	       LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail;
}

static bool is_copy(LLVMValueRef callee, const char *name)
{
	static const char *const names[] = { "llvm.memcpy.p", "llvm.memmove.p",
					     "llvm.memset.p" };

	if (LLVMGetIntrinsicID(callee) == 0)
		return false;
	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
		if (strncmp(name, names[k], strlen(names[k])) == 0)
			return true;
	return false;
}

/* A call that copies, fills or compares memory of a length the compiler does
 * not know: pgo-memop-opt makes variants of these. */
static bool has_length(LLVMValueRef i)
{
	LLVMValueRef callee;
	const char *name;
	size_t n;

	if (LLVMGetInstructionOpcode(i) != LLVMCall)
		return false;
	callee = LLVMGetCalledValue(i);
	if (!LLVMIsAFunction(callee))
		return false;
	name = LLVMGetValueName2(callee, &n);
	return (is_copy(callee, name) || is_comparison(i, name)) &&
	       !LLVMIsAConstantInt(LLVMGetOperand(i, 2));
}

LLVMValueRef cofl_body_value(const struct cofl_body *body, uint32_t site)
{
	LLVMValueRef i = body->site[site];

	return body->kind[site] == COFL_SITE_CALL ? LLVMGetCalledValue(i) :
						    LLVMGetOperand(i, 2);
}

static void add_site(struct cofl_body *body, LLVMValueRef i, uint8_t kind)
{
	uint32_t n = body->outline.n_sites;

	if ((n & (n - 1)) == 0) {
		size_t room = n ? 2 * (size_t)n : 1;

		body->site = cofl_xcalloc_grow(body->site, room,
					   sizeof(LLVMValueRef));
		body->kind = cofl_xcalloc_grow(body->kind, room, 1);
	}
	body->site[n] = i;
	body->kind[n] = kind;
	body->outline.n_sites++;
}

static void read_sites(struct cofl_body *body)
{
	for (uint32_t b = 0; b < body->n_blocks; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[b]);
		     i != NULL; i = LLVMGetNextInstruction(i))
			if (cofl_body_is_indirect_call(i))
				add_site(body, i, COFL_SITE_CALL);
			else if (has_length(i))
				add_site(body, i, COFL_SITE_SIZE);
}

/* -- Edges ----------------------------------------------------------------- */

/* Branches to a trap, or to a call that does not return, are taken rarely. */
static bool is_rare(LLVMBasicBlockRef b)
{
	LLVMValueRef first = LLVMGetFirstInstruction(b);
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

	return LLVMGetInstructionOpcode(end) == LLVMUnreachable ||
	       LLVMGetInstructionOpcode(end) == LLVMResume ||
	       LLVMGetInstructionOpcode(first) == LLVMLandingPad;
}

/*
 * What the program's compiler knew of the terminator's branches, by
 * __builtin_expect for one; false: nothing.
 */
static bool static_weights(LLVMValueRef end, unsigned kind, uint64_t *weight,
			   unsigned n)
{
	LLVMValueRef node = LLVMGetMetadata(end, kind), op[64];
	unsigned n_ops = node ? LLVMGetMDNodeNumOperands(node) : 0;

	if (n_ops < n + 1 || n_ops > 64)
		return false;
	LLVMGetMDNodeOperands(node, op);
	for (unsigned k = 0; k < n; k++) {
		LLVMValueRef v = op[n_ops - n + k];

		if (v == NULL || !LLVMIsAConstantInt(v))
			return false;
		weight[k] = LLVMConstIntGetZExtValue(v);
	}
	return true;
}

/* The share of each successor, of COFL_SHARE_ALL. */
static void share_out(LLVMValueRef end, unsigned kind, uint64_t *share,
		      unsigned n)
{
	uint64_t sum = 0;

	if (n > 1 && !static_weights(end, kind, share, n))
		for (unsigned k = 0; k < n; k++)
			share[k] = is_rare(LLVMGetSuccessor(end, k)) ?
				   COFL_TUNE(edge_rare_share) : 1000;
	for (unsigned k = 0; k < n; k++)
		sum += share[k];
	for (unsigned k = 0; k < n; k++) {
		share[k] = sum ? share[k] * COFL_SHARE_ALL / sum :
				 COFL_SHARE_ALL / n;
		if (share[k] == 0)
			share[k] = 1;
	}
}

/* Add the edges of block b, one for each different successor. */
static void read_edges(struct cofl_body *body, uint32_t b,
		       const struct cofl_map *number, unsigned kind)
{
	struct cofl_graph *g = &body->graph;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(body->block[b]);
	unsigned n = LLVMGetNumSuccessors(end);
	uint64_t *share = cofl_xcalloc(n, sizeof(*share));
	struct cofl_map seen = { 0 };	/* node -> its edge + 1 */

	share[0] = 1;
	share_out(end, kind, share, n);
	for (unsigned k = 0; k < n; k++) {
		void *to = cofl_map_get(number, LLVMGetSuccessor(end, k));
		uint32_t e = (uint32_t)(uintptr_t)cofl_map_get(&seen, to);

		if (e == 0) {
			e = cofl_graph_add(g, b + 1, (uint32_t)(uintptr_t)to,
					   (uint32_t)share[k]) + 1;
			cofl_map_put(&seen, to, (void *)(uintptr_t)e);
		} else {
			g->edge[e - 1].share += (uint32_t)share[k];
		}
		body->edge[body->first[b] + k] = e - 1;
	}
	if (n == 0)
		body->edge[body->first[b]] = cofl_graph_add(
			g, b + 1, COFL_OUTSIDE,
			is_rare(body->block[b]) ? COFL_TUNE(edge_rare_share) :
						  COFL_SHARE_ALL);
	cofl_map_free(&seen);
	free(share);
}

void cofl_body_read(struct cofl_body *body, LLVMValueRef f)
{
	unsigned kind = LLVMGetMDKindIDInContext(
		LLVMGetModuleContext(LLVMGetGlobalParent(f)), "prof", 4);
	uint32_t n = LLVMCountBasicBlocks(f);
	struct cofl_map number = { 0 };	/* block -> node */

	*body = (struct cofl_body){ .n_blocks = n };
	body->block = cofl_xcalloc(n, sizeof(LLVMBasicBlockRef));
	body->first = cofl_xcalloc(n + 1, sizeof(uint32_t));
	LLVMGetBasicBlocks(f, body->block);
	for (uint32_t b = 0; b < n; b++) {
		unsigned out = LLVMGetNumSuccessors(
			LLVMGetBasicBlockTerminator(body->block[b]));

		cofl_map_put(&number, body->block[b],
			     (void *)(uintptr_t)(b + 1));
		body->first[b + 1] = body->first[b] + (out ? out : 1);
	}
	body->edge = cofl_xcalloc(body->first[n], sizeof(uint32_t));
	cofl_graph_init(&body->graph, n);
	for (uint32_t b = 0; b < n; b++)
		read_edges(body, b, &number, kind);
	cofl_graph_seal(&body->graph);
	read_sites(body);
	body->outline.hash = body->graph.hash;
	for (uint32_t i = 0; i < body->outline.n_sites; i++)
		body->outline.hash = 0x100000001b3u *
			(body->outline.hash ^ (body->kind[i] + 1u));
	body->outline.n_edges = body->graph.n_edges;
	cofl_map_free(&number);
}

void cofl_body_free(struct cofl_body *body)
{
	cofl_graph_free(&body->graph);
	free(body->block);
	free(body->first);
	free(body->edge);
	free(body->site);
	free(body->kind);
	*body = (struct cofl_body){ 0 };
}
