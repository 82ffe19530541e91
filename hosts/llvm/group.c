/*
 * group.c - gather by profile, inline, optimize, take apart; see group.h
 */
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "body.h"
#include "clone.h"
#include "copy.h"
#include "fatal.h"
#include "map.h"

/*
 * Callees are shown to the inliner up to so many instructions, by how often they
 * are called from there; it has thresholds of its own, about half of these. And
 * so many in all, and for each member.
 */
#define HOT_INSTRUCTIONS     1200u
#define WARM_INSTRUCTIONS    100u
#define UNKNOWN_INSTRUCTIONS 300u
#define UNKNOWN_DEPTH        2u
#define HOT_DEPTH            6u
#define CALLEES_PER_MEMBER   20000u
#define CALLEES_IN_ALL       100000u

/* What the inliner sees first, and then the rest without what it left. */
#define INLINE_PASSES \
	"require<profile-summary>,pgo-icall-prom,function(pgo-memop-opt)," \
	"cgscc(inline)"
#define O3_PASSES "default<O3>"

/* A body in the group's module. */
struct part {
	struct cofl_method *method;
	LLVMValueRef        from;	/* the program's */
	LLVMValueRef        to;
	bool                member;
	uint32_t            depth;	/* calls away from a member */
	struct cofl_heat    heat;
	bool               *has;	/* of a member, by part: it is inlined */
};

struct group {
	struct cofl        *host;
	struct cofl_copy   *copy;
	struct cofl_unit    unit;
	struct cofl_summary summary;
	struct part        *part;
	size_t              n, room;
	struct cofl_map     index;	/* program's function -> part + 1 */
	uint32_t            shown, limit; /* instructions of callees */
	unsigned            tag;	/* metadata kind: of which part it was */
	char               *why;
	size_t              why_bytes;
};

/* -- Gathering -------------------------------------------------------------- */

static bool has_attribute(LLVMValueRef f, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
					   kind) != NULL;
}

static bool has_indirect_branch(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		if (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b)) ==
		    LLVMIndirectBr)
			return true;
	return false;
}

/* Instructions know which part they came from, so that one can tell later what
 * was inlined where. */
static void tag(struct group *g, const struct part *p, size_t number)
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

static bool add_part(struct group *g, struct cofl_method *m, bool member,
		     uint32_t depth)
{
	struct part p = { .method = m, .member = member, .depth = depth };
	struct cofl_body body;

	p.from = g->copy->function[m->number];
	p.to = cofl_unit_function(&g->unit, p.from, NULL,
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
	if (g->n == g->room) {
		g->room = g->room ? 2 * g->room : 64;
		g->part = realloc(g->part, g->room * sizeof(*g->part));
		if (g->part == NULL)
			cofl_fatal("out of memory");
	}
	g->part[g->n++] = p;
	cofl_map_put(&g->index, p.from, (void *)(uintptr_t)g->n);
	return true;
}

static uint32_t limit_of(const struct group *g, const struct part *caller,
			 uint64_t count)
{
	if (caller->heat.node == NULL)
		return caller->depth < UNKNOWN_DEPTH ? UNKNOWN_INSTRUCTIONS : 0;
	if (caller->depth >= HOT_DEPTH || count == 0)
		return 0;
	return count >= g->summary.hot ? HOT_INSTRUCTIONS : WARM_INSTRUCTIONS;
}

/* Show a callee that is called so often, if it could be inlined. */
static bool consider(struct group *g, size_t caller, int64_t number,
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
	if (cofl_map_get(&g->index, f) != NULL || m->pinned ||
	    has_attribute(f, "noinline") || has_attribute(f, "optnone") ||
	    LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) ||
	    !cofl_copy_body(g->copy, (uint32_t)number) ||
	    has_indirect_branch(f))
		return true;
	n = cofl_build_count(f);
	if (n > limit || g->shown + n > g->limit)
		return true;
	g->shown += n;
	return add_part(g, m, false, depth);
}

/* Callees of a part, the block's count with each. */
static bool add_callees(struct group *g, size_t k)
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
			    i == body.site[site]) {
				site++;
				if (top == NULL || node == NULL ||
				    body.kind[site - 1] != COFL_SITE_CALL ||
				    top[site - 1].seen[0].count == 0 ||
				    top[site - 1].seen[0].value >=
				    g->host->n_methods)
					continue;
				ok = consider(g, k, (int64_t)
					      top[site - 1].seen[0].value,
					      count);
				continue;
			}
			ok = consider(g, k, cofl_copy_number(
					      g->copy, LLVMGetCalledValue(i)),
				      count);
		}
	}
	cofl_body_free(&body);
	return ok;
}

static bool gather(struct group *g, struct cofl_ir *const *ir, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cofl_build_body(ir[i]->method, g->copy, g->why,
				    g->why_bytes) == NULL ||
		    !add_part(g, ir[i]->method, true, 0))
			return false;
	for (size_t k = 0; k < g->n; k++)
		if (!add_callees(g, k))
			return false;
	cofl_summary_add(&g->summary, g->unit.module);
	return true;
}

/* -- Optimizing ------------------------------------------------------------- */

/* Note in each member what it is made of. */
static void note_inlined(struct group *g)
{
	for (size_t k = 0; k < g->n; k++) {
		struct part *p = &g->part[k];

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

static void drop_callees(struct group *g)
{
	unsigned prof = LLVMGetMDKindIDInContext(g->copy->context, "prof", 4);

	for (size_t k = 0; k < g->n; k++) {
		struct part *p = &g->part[k];
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

static bool stopped(struct group *g, const int *stop)
{
	if (!__atomic_load_n(stop, __ATOMIC_RELAXED))
		return false;
	snprintf(g->why, g->why_bytes, "not wanted any more");
	return true;
}

static int optimize(struct group *g, const int *stop)
{
	LLVMModuleRef module = g->unit.module;
	int err;

	cofl_build_tune(g->copy->context, module);
	err = cofl_build_passes(g->copy, COFL_BEST, INLINE_PASSES, module,
				g->why, g->why_bytes);
	if (err != 0)
		return err;
	note_inlined(g);
	drop_callees(g);
	if (stopped(g, stop))
		return -COF_E_STATE;
	err = cofl_build_passes(g->copy, COFL_BEST, O3_PASSES, module, g->why,
				g->why_bytes);
	if (err == 0)
		note_inlined(g);
	return err;
}

/* -- Versions --------------------------------------------------------------- */

/* The version keeps the list as long as it lives. */
static void list_inlined(struct group *g, const struct part *p,
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

void cofl_group_end(struct cofl_version *version)
{
	free(version->inlined);
	version->inlined = NULL;
}

static int load(struct group *g, const struct part *p, LLVMModuleRef module,
		struct cof_version_desc *out)
{
	int err = cofl_build_module(g->host, g->copy, COFL_BEST, module,
				    p->method->name, COF_PLAN_PROFILE, out,
				    g->why, g->why_bytes);

	if (err == 0)
		list_inlined(g, p, out);
	else
		*out = (struct cof_version_desc){ .size = sizeof(*out) };
	return err;
}

/* How often it was entered, for one. */
static void copy_metadata(LLVMValueRef from, LLVMValueRef to)
{
	size_t n;
	LLVMValueMetadataEntry *entry = LLVMGlobalCopyAllMetadata(from, &n);

	for (unsigned i = 0; i < n; i++)
		LLVMGlobalSetMetadata(to,
			LLVMValueMetadataEntriesGetKind(entry, i),
			LLVMValueMetadataEntriesGetMetadata(entry, i));
	LLVMDisposeValueMetadataEntries(entry);
}

/* The member alone, and what passes made for it, in a module of its own. */
static int take_out(struct group *g, const struct part *p,
		    struct cof_version_desc *out)
{
	struct cofl_unit unit;
	LLVMValueRef to;
	int err = -COF_E_INVAL;

	cofl_unit_init(&unit, g->copy, p->method->name);
	unit.of_unit = true;
	to = cofl_unit_function(&unit, p->to, NULL, LLVMExternalLinkage);
	if (to != NULL && cofl_unit_locals(&unit)) {
		cofl_summary_add(&g->summary, unit.module);
		copy_metadata(p->to, to);
		err = load(g, p, unit.module, out);
	} else {
		snprintf(g->why, g->why_bytes, "%s", unit.why);
	}
	cofl_unit_dispose(&unit);
	return err;
}

static int compile(struct group *g, size_t n, const int *stop,
		   struct cof_version_desc *out)
{
	size_t done = 0;

	for (size_t k = 0; k < n; k++) {
		if (stopped(g, stop))
			break;
		done += (n == 1 ? load(g, &g->part[k], g->unit.module, &out[k]) :
				  take_out(g, &g->part[k], &out[k])) == 0;
	}
	return done != 0 ? 0 : -COF_E_INVAL;
}

static void group_free(struct group *g)
{
	for (size_t k = 0; k < g->n; k++) {
		cofl_heat_free(&g->part[k].heat);
		free(g->part[k].has);
	}
	free(g->part);
	cofl_map_free(&g->index);
	cofl_summary_free(&g->summary);
	cofl_unit_dispose(&g->unit);
}

static bool make_around(struct group *g, struct cofl_ir *ir,
			cofl_group_make *make, void *arg)
{
	struct part p = { .method = ir->method, .member = true };

	p.from = cofl_build_body(ir->method, g->copy, g->why, g->why_bytes);
	if (p.from == NULL)
		return false;
	p.to = make(arg, &g->unit, &p.heat);
	if (p.to == NULL) {
		snprintf(g->why, g->why_bytes, "%s", g->unit.why);
		return false;
	}
	g->room = 64;
	g->part = calloc(g->room, sizeof(*g->part));
	if (g->part == NULL)
		cofl_fatal("out of memory");
	g->part[g->n++] = p;
	/* Not in the index: a call of the whole method may be inlined. */
	for (size_t k = 0; k < g->n; k++)
		if (!add_callees(g, k))
			return false;
	return true;
}

int cofl_group_around(struct cofl_ir *ir, enum cof_plan plan,
		      cofl_group_make *make, void *arg, const char *body,
		      const int *stop, struct cof_version_desc *out, char *why,
		      size_t why_bytes)
{
	struct group g = { .host = ir->method->host, .copy = ir->copy,
			   .limit = CALLEES_PER_MEMBER, .why = why,
			   .why_bytes = why_bytes };
	int err = -COF_E_INVAL;

	g.tag = LLVMGetMDKindIDInContext(g.copy->context, "cof.of", 6);
	if (plan == COF_PLAN_PROFILE)
		cofl_summary_make(&g.summary, g.host);
	cofl_unit_init(&g.unit, g.copy, "around");
	g.unit.with_constants = true;
	if (make_around(&g, ir, make, arg)) {
		if (plan == COF_PLAN_PROFILE)
			cofl_summary_add(&g.summary, g.unit.module);
		/* The inliner is to see what is reached, and values. */
		err = cofl_build_passes(g.copy, COFL_BEST,
					"function(simplifycfg,sroa)",
					g.unit.module, why, why_bytes);
	}
	if (err == 0 && !stopped(&g, stop))
		err = optimize(&g, stop);
	cofl_build_hazards(g.host, &g.unit);
	if (err == 0)
		err = cofl_build_module(g.host, g.copy, COFL_BEST,
					g.unit.module, body, plan, out, why,
					why_bytes);
	if (err == 0)
		list_inlined(&g, &g.part[0], out);
	group_free(&g);
	return err;
}

int cofl_group_build(struct cofl_ir *const *ir, size_t n, const int *stop,
		     struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct group g = { .host = ir[0]->method->host, .copy = ir[0]->copy,
			   .why = why, .why_bytes = why_bytes };
	int err = -COF_E_INVAL;

	for (size_t k = 0; k < n; k++)
		out[k] = (struct cof_version_desc){ .size = sizeof(*out) };
	g.limit = n * CALLEES_PER_MEMBER < CALLEES_IN_ALL ?
		  (uint32_t)n * CALLEES_PER_MEMBER : CALLEES_IN_ALL;
	g.tag = LLVMGetMDKindIDInContext(g.copy->context, "cof.of", 6);
	cofl_summary_make(&g.summary, g.host);
	cofl_unit_init(&g.unit, g.copy, "group");
	g.unit.with_constants = true;
	if (gather(&g, ir, n))
		err = optimize(&g, stop);
	cofl_build_hazards(g.host, &g.unit);
	if (err == 0)
		err = compile(&g, n, stop, out);
	group_free(&g);
	return err;
}
