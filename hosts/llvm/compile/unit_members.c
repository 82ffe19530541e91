/*
 * unit_members.c - bodies that know each other after they were mixed; see unit_members.h
 */
#include "compile/unit_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/body.h"
#include "ir/copy.h"
#include "support/fatal.h"

void cofl_unit_members_init(struct cofl_unit_members *g, struct cofl_ir *ir, const char *name,
		     char *why, size_t why_bytes)
{
	*g = (struct cofl_unit_members){
		.host = ir->method->host, .copy = ir->copy,
		.tag = LLVMGetMDKindIDInContext(ir->copy->context, "cof.of", 6),
		.why = why, .why_bytes = why_bytes,
	};
	cofl_clone_init(&g->unit, g->copy, name);
	g->unit.with_constants = true;
}

/* Instructions know which part they came from, so that one can tell later what
 * was inlined where. */
static void tag(struct cofl_unit_members *g, const struct cofl_unit_member *p, size_t number)
{
	LLVMContextRef c = g->copy->context;
	LLVMMetadataRef op = LLVMValueAsMetadata(
		LLVMConstInt(LLVMInt32TypeInContext(c), number, 0));
	LLVMValueRef node = LLVMMetadataAsValue(
		c, LLVMMDNodeInContext2(c, &op, 1));

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->to); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			LLVMSetMetadata(i, g->tag, node);
}

void cofl_unit_members_push(struct cofl_unit_members *g, const struct cofl_unit_member *p)
{
	if (g->n == g->room) {
		g->room = g->room ? 2 * g->room : 64;
		g->part = realloc(g->part, g->room * sizeof(*g->part));
		if (g->part == NULL)
			cofl_fatal("out of memory");
	}
	g->part[g->n++] = *p;
}

bool cofl_unit_members_add(struct cofl_unit_members *g, struct cofl_method *m, bool member,
		    uint32_t depth)
{
	struct cofl_unit_member p = { .method = m, .member = member, .depth = depth };
	struct cofl_body body;

	p.from = g->copy->function[m->number];
	p.to = cofl_clone_function(&g->unit, p.from, NULL,
				  member ? LLVMExternalLinkage :
					   LLVMAvailableExternallyLinkage);
	if (p.to == NULL) {
		snprintf(g->why, g->why_bytes, "%s", g->unit.why);
		return false;
	}
	cofl_body_read(&body, p.to);
	cofl_annotate(m, p.to, &body, &p.heat);
	cofl_body_free(&body);
	tag(g, &p, g->n);
	cofl_unit_members_push(g, &p);
	cofl_map_put(&g->index, p.from, (void *)(uintptr_t)g->n);
	return true;
}

void cofl_unit_members_note(struct cofl_unit_members *g)
{
	for (size_t k = 0; k < g->n; k++) {
		struct cofl_unit_member *p = &g->part[k];

		if (!p->member)
			continue;
		if (p->has == NULL)
			p->has = calloc(g->n + 1, sizeof(*p->has));
		if (p->has == NULL)
			cofl_fatal("out of memory");
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->to);
		     b != NULL; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b);
			     i != NULL; i = LLVMGetNextInstruction(i)) {
				LLVMValueRef node = LLVMGetMetadata(i, g->tag);
				LLVMValueRef op;

				if (node == NULL)
					continue;
				LLVMGetMDNodeOperands(node, &op);
				p->has[LLVMConstIntGetZExtValue(op)] = true;
			}
	}
}

/* From a definition to a declaration. */
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
		struct cofl_unit_member *p = &g->part[k];
		size_t length;
		const char *name = p->method->name;

		if (p->member)
			continue;
		/* What nothing calls any more the inliner has removed itself. */
		length = strlen(name);
		p->to = LLVMGetNamedFunctionWithLength(g->unit.module, name,
						       length);
		if (p->to != NULL && LLVMCountBasicBlocks(p->to) != 0)
			drop_body(p->to, prof);
	}
}

void cofl_unit_members_inlined(struct cofl_unit_members *g, const struct cofl_unit_member *p,
			struct cof_version_desc *out)
{
	struct cofl_version *version = out->data;
	size_t n = 0;

	version->inlined = calloc(g->n + 1, sizeof(*version->inlined));
	if (version->inlined == NULL)
		cofl_fatal("out of memory");
	for (size_t k = 0; k < g->n; k++)
		if (p->has[k] && &g->part[k] != p)
			version->inlined[n++] = g->part[k].method->method;
	out->inlined = version->inlined;
	out->n_inlined = n;
}

void cofl_unit_members_free(struct cofl_unit_members *g)
{
	for (size_t k = 0; k < g->n; k++) {
		cofl_annotate_heat_free(&g->part[k].heat);
		free(g->part[k].has);
	}
	free(g->part);
	cofl_map_free(&g->index);
	cofl_annotate_summary_free(&g->summary);
	cofl_clone_dispose(&g->unit);
}
