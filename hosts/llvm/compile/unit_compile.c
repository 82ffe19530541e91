/*
 * unit_compile.c - see unit_compile.h
 */
#include "compile/unit_compile.h"

#include <stdio.h>
#include <stdlib.h>

#include "compile/inline_candidates.h"
#include "ir/mixed_options.h"
#include "ir/vtable_compare.h"
#include "compile/profile_restore.h"
#include "compile/unit_members.h"
#include "ir/copy.h"
#include "link/loader.h"
#include "points/osr_point.h"
#include "version_cache/version_cache_host.h"

/* Those before the inliner, the inliner, and those for what is left. */
#define PROMOTE_PASSES \
	"require<profile-summary>,pgo-icall-prom,function(pgo-memop-opt)"
#define INLINE_PASSES "require<profile-summary>,cgscc(inline)"
#define O3_PASSES "default<O3>"

/* With callees, of so many members. */
static bool complete(struct cofl_unit_members *g, size_t n_members)
{
	if (!cofl_inline_candidates_show(g, n_members))
		return false;
	cofl_mixed_options_agree(g->unit.module);
	return true;
}

static bool gather(struct cofl_unit_members *g, struct cofl_ir *const *ir,
		   size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cofl_build_body(ir[i]->method, g->copy, g->why,
				    g->why_bytes) == NULL ||
		    !cofl_unit_members_add(g, ir[i]->method, 0))
			return false;
	if (!complete(g, n))
		return false;
	cofl_annotate_summary_add(&g->summary, g->unit.module);
	return true;
}

static int passes(struct cofl_unit_members *g, const char *passes)
{
	return cofl_build_passes(g->copy, COFL_BEST, passes, g->unit.module,
				 g->why, g->why_bytes);
}

static int optimize(struct cofl_unit_members *g, const int *stop)
{
	int err;

	cofl_build_tune(g->copy->context, g->unit.module);
	err = passes(g, PROMOTE_PASSES);
	if (err == 0) {
		cofl_vtable_compare(g->unit.module, g->tag);
		err = passes(g, INLINE_PASSES);
	}
	if (err != 0)
		return err;
	cofl_unit_members_note(g);
	cofl_unit_members_drop_callees(g);
	err = cofl_build_stopped(stop, g->why, g->why_bytes);
	if (err == 0)
		err = passes(g, O3_PASSES);
	if (err == 0)
		cofl_unit_members_note(g);
	return err;
}

/* -- Versions -------------------------------------------------------------- */

/* Put the version into the cache, for the next run. */
static void cache(const struct cofl_unit_members *g,
		  const struct cofl_unit_body *p, uint32_t n_loops,
		  LLVMMemoryBufferRef object,
		  const struct cof_version_desc *out)
{
	size_t n = g->host->version_cache ?
		   cofl_profile_restore_save(p->method, NULL, 0) : 0;
	void *profile = n ? malloc(n) : NULL;

	/* No other thread collects a profile for the method meanwhile. */
	if (profile != NULL &&
	    cofl_profile_restore_save(p->method, profile, n) == n)
		cofl_version_cache_host_put(p->method, out,
					    &(struct cofl_built){
			.kind = n_loops ? COFL_VERSION_CACHE_CONTINUATIONS :
					  COFL_VERSION_CACHE_BUILT,
			.n_loops = n_loops,
			.profile = profile, .profile_bytes = n,
			.object = LLVMGetBufferStart(object),
			.object_bytes = LLVMGetBufferSize(object),
			.moves_stack = g->unit.moves_stack,
		});
	free(profile);
}

/* A version of which no continuation is made, and what load() needs of it. */
static struct cofl_unit_around whole(const char *body)
{
	return (struct cofl_unit_around){
		.plan = COF_PLAN_PROFILE, .body = body, .cached = true };
}

static int load(struct cofl_unit_members *g, const struct cofl_unit_body *p,
		LLVMModuleRef module, const struct cofl_unit_around *a,
		struct cof_version_desc *out)
{
	LLVMMemoryBufferRef object = cofl_build_object(g->copy, COFL_BEST,
						       module, g->why,
						       g->why_bytes);
	int err = -COF_E_INVAL;

	if (object != NULL)
		err = cofl_loader_load(g->host, LLVMGetBufferStart(object),
				       LLVMGetBufferSize(object), a->body,
				       a->plan, out, g->why, g->why_bytes);
	if (err == 0) {
		cofl_unit_members_inlined(g, p, out);
		if (a->make == NULL)
			cofl_method_compare(p->method, out);
		if (a->plan == COF_PLAN_PROFILE && a->cached)
			cache(g, p, a->n_loops, object, out);
	} else {
		*out = (struct cof_version_desc){ .size = sizeof(*out) };
	}
	if (object != NULL)
		LLVMDisposeMemoryBuffer(object);
	return err;
}

/* Among others, how often it was entered. */
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

/* Load the member alone, with what passes made for it, from its own module. */
static int extract(struct cofl_unit_members *g, const struct cofl_unit_body *p,
		   struct cof_version_desc *out)
{
	struct cofl_unit_around a = whole(p->method->name);
	struct cofl_clone unit;
	LLVMValueRef to;
	int err = -COF_E_INVAL;

	cofl_clone_init(&unit, g->copy, p->method->name);
	unit.of_unit = true;
	to = cofl_clone_function(&unit, p->to, NULL, LLVMExternalLinkage);
	if (to != NULL && cofl_clone_locals(&unit)) {
		cofl_annotate_summary_add(&g->summary, unit.module);
		copy_metadata(p->to, to);
		err = load(g, p, unit.module, &a, out);
	} else {
		snprintf(g->why, g->why_bytes, "%s", unit.why);
	}
	cofl_clone_dispose(&unit);
	return err;
}

static int compile(struct cofl_unit_members *g, size_t n, const int *stop,
		   struct cof_version_desc *out)
{
	size_t done = 0;

	for (size_t k = 0; k < n; k++) {
		const struct cofl_unit_body *p = &g->body[k];
		struct cofl_unit_around a = whole(p->method->name);

		if (cofl_build_stopped(stop, g->why, g->why_bytes) != 0)
			break;
		done += (n == 1 ? load(g, p, g->unit.module, &a, &out[k]) :
				  extract(g, p, &out[k])) == 0;
	}
	return done != 0 ? 0 : -COF_E_INVAL;
}

static bool make_around(struct cofl_unit_members *g, struct cofl_ir *ir,
			const struct cofl_unit_around *a)
{
	struct cofl_unit_body p = { .method = ir->method };

	p.from = cofl_build_body(ir->method, g->copy, g->why, g->why_bytes);
	if (p.from == NULL)
		return false;
	p.to = a->make(a->arg, &g->unit, &p.heat);
	if (p.to == NULL) {
		snprintf(g->why, g->why_bytes, "%s", g->unit.why);
		return false;
	}
	/* Not in the index: a call of the whole method may be inlined. */
	cofl_unit_members_push(g, &p);
	return complete(g, 1);
}

int cofl_unit_compile_around(struct cofl_ir *ir,
			     const struct cofl_unit_around *a, const int *stop,
			     struct cof_version_desc *out,
			     char *why, size_t why_bytes)
{
	struct cofl_unit_members g;
	int err = -COF_E_INVAL;

	cofl_unit_members_init(&g, ir, "around", why, why_bytes);
	cofl_profile_restore_adopt_all(g.host, g.copy);
	if (a->plan == COF_PLAN_PROFILE)
		cofl_annotate_summary_make(&g.summary, g.host);
	if (make_around(&g, ir, a)) {
		if (a->plan == COF_PLAN_PROFILE)
			cofl_annotate_summary_add(&g.summary, g.unit.module);
		/* For the inliner, which is to see values and reached code. */
		err = passes(&g, "function(simplifycfg,sroa)");
	}
	if (err == 0)
		err = cofl_build_stopped(stop, why, why_bytes);
	if (err == 0)
		err = optimize(&g, stop);
	cofl_build_hazards(g.host, &g.unit);
	if (err == 0)
		err = load(&g, &g.body[0], g.unit.module, a, out);
	if (err == 0)
		cofl_osr_point_attach(&g.unit, out);
	cofl_unit_members_free(&g);
	return err;
}

int cofl_unit_compile_build(struct cofl_ir *const *ir, size_t n,
			    const int *stop, struct cof_version_desc *out,
			    char *why, size_t why_bytes)
{
	struct cofl_unit_members g;
	int err = -COF_E_INVAL;

	for (size_t k = 0; k < n; k++)
		out[k] = (struct cof_version_desc){ .size = sizeof(*out) };
	cofl_unit_members_init(&g, ir[0], "unit", why, why_bytes);
	cofl_profile_restore_adopt_all(g.host, g.copy);
	cofl_annotate_summary_make(&g.summary, g.host);
	if (gather(&g, ir, n))
		err = optimize(&g, stop);
	cofl_build_hazards(g.host, &g.unit);
	if (err == 0)
		err = compile(&g, n, stop, out);
	cofl_unit_members_free(&g);
	return err;
}
