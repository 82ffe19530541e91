/*
 * unit_members.c - see unit_members.h
 */
#include "compile/unit_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/build.h"
#include "ir/attribute.h"
#include "ir/body.h"
#include "ir/copy.h"
#include "support/xcalloc.h"

void cofl_unit_members_init(struct cofl_unit_members *g, struct cofl_ir *ir,
			    const char *name, char *why, size_t why_bytes)
{
	*g = (struct cofl_unit_members){
		.host = ir->method->host, .copy = ir->copy,
		.tag = LLVMGetMDKindIDInContext(ir->copy->context, "cof.of", 6),
		.why = why, .why_bytes = why_bytes,
	};
	cofl_clone_init(&g->unit, g->copy, name);
	g->unit.with_constants = true;
}

/* Tag instructions with the body they are of, to tell later what was inlined
 * where. */
static void tag(struct cofl_unit_members *g, LLVMValueRef to)
{
	LLVMContextRef c = g->copy->context;
	LLVMMetadataRef op = LLVMValueAsMetadata(
		LLVMConstInt(LLVMInt32TypeInContext(c), g->n, 0));
	LLVMValueRef node = LLVMMetadataAsValue(
		c, LLVMMDNodeInContext2(c, &op, 1));

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(to); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			LLVMSetMetadata(i, g->tag, node);
}

void cofl_unit_members_push(struct cofl_unit_members *g,
			    const struct cofl_unit_body *p)
{
	if (g->n == g->room) {
		g->room = g->room ? 2 * g->room : 64;
		g->body = cofl_xcalloc_grow(g->body, g->room, sizeof(*g->body));
	}
	g->body[g->n++] = *p;
}

bool cofl_unit_members_add(struct cofl_unit_members *g, struct cofl_method *m,
			   uint32_t depth)
{
	struct cofl_unit_body p = { .method = m, .depth = depth };
	struct cofl_body body;

	p.from = g->copy->function[m->number];
	p.to = cofl_clone_function(&g->unit, p.from, NULL, depth == 0 ?
				   LLVMExternalLinkage :
				   LLVMAvailableExternallyLinkage);
	if (p.to == NULL) {
		snprintf(g->why, g->why_bytes, "%s", g->unit.why);
		return false;
	}
	if (cof_method_is_left_alone(m->method))	/* it is a member */
		cofl_attribute_forbid_inlining(p.to);
	cofl_body_read(&body, p.to);
	cofl_annotate(m, p.to, &body, &p.heat);
	cofl_body_free(&body);
	tag(g, p.to);
	cofl_unit_members_push(g, &p);
	cofl_map_put(&g->index, p.from, (void *)(uintptr_t)g->n);
	return true;
}

static void note(const struct cofl_unit_members *g,
		 const struct cofl_unit_body *p)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->to); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef node = LLVMGetMetadata(i, g->tag), op;

			if (node == NULL)
				continue;
			LLVMGetMDNodeOperands(node, &op);
			p->has[LLVMConstIntGetZExtValue(op)] = true;
		}
}

void cofl_unit_members_note(struct cofl_unit_members *g)
{
	for (size_t k = 0; k < g->n; k++) {
		struct cofl_unit_body *p = &g->body[k];

		if (p->depth != 0)
			continue;
		if (p->has == NULL)
			p->has = cofl_xcalloc(g->n, sizeof(*p->has));
		note(g, p);
	}
}

/* Turn a definition into a declaration. */
static void drop_body(LLVMValueRef f, unsigned prof)
{
	LLVMBasicBlockRef b, next;

	for (b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef i;

		while ((i = LLVMGetLastInstruction(b)) != NULL) {
			LLVMTypeRef type = LLVMTypeOf(i);

			if (LLVMGetFirstUse(i) != NULL)
				LLVMReplaceAllUsesWith(i, LLVMGetPoison(type));
			LLVMInstructionEraseFromParent(i);
		}
	}
	for (b = LLVMGetFirstBasicBlock(f); b != NULL; b = next) {
		next = LLVMGetNextBasicBlock(b);
		LLVMDeleteBasicBlock(b);
	}
	if (LLVMHasPersonalityFn(f))
		LLVMSetPersonalityFn(f, NULL);
	LLVMGlobalEraseMetadata(f, prof);
	LLVMSetLinkage(f, LLVMExternalLinkage);
}

void cofl_unit_members_drop_callees(struct cofl_unit_members *g)
{
	unsigned prof = LLVMGetMDKindIDInContext(g->copy->context, "prof", 4);

	for (size_t k = 0; k < g->n; k++) {
		struct cofl_unit_body *p = &g->body[k];
		const char *name = p->method->name;

		if (p->depth == 0)
			continue;
		/* The inliner has removed those that nothing calls. */
		p->to = LLVMGetNamedFunctionWithLength(g->unit.module, name,
						       strlen(name));
		if (p->to != NULL && LLVMCountBasicBlocks(p->to) != 0)
			drop_body(p->to, prof);
	}
}

void cofl_unit_members_inlined(struct cofl_unit_members *g,
			       const struct cofl_unit_body *p,
			       struct cof_version_desc *out)
{
	struct cofl_version *version = out->data;

	version->inlined = cofl_xcalloc(g->n, sizeof(*version->inlined));
	for (size_t k = 0; k < g->n; k++)
		if (p->has[k] && &g->body[k] != p)
			version->inlined[out->n_inlined++] =
				g->body[k].method->method;
	out->inlined = version->inlined;
}

void cofl_unit_members_free(struct cofl_unit_members *g)
{
	for (size_t k = 0; k < g->n; k++) {
		cofl_annotate_heat_free(&g->body[k].heat);
		free(g->body[k].has);
	}
	free(g->body);
	cofl_map_free(&g->index);
	cofl_annotate_summary_free(&g->summary);
	cofl_clone_dispose(&g->unit);
}
