/*
 * compile.c - call mini_method_compile() and read its result
 */
#include "compile/compile.h"

#include <stdio.h>
#include <string.h>

#include "compile/lines.h"
#include "vm/method_flags.h"
#include "vm/cctors.h"
#include "compile/check.h"
#include "vm/internals.h"
#include "vm/jit_record.h"

/* False: this is not the Mono that it says it is. Then the host stops
 * working. */
static bool is_right(struct cofm_method *m, const struct cofm_body *body)
{
	struct cofm *host = m->host;

	if (cofm_check_body(body) &&
	    (!body->dynamic || cofm_body_take(m->mono, body)))
		return true;
	if (atomic_exchange(&host->running, false))
		fprintf(stderr, "runtime: Mono's compiler is not the known "
			"one; running without optimization\n");
	return false;
}

int cofm_compile(struct cofm_method *m, uint32_t opt, bool own,
		 struct cofm_body *out)
{
	MonoDomain *before;
	bool fine, early;
	char *cfg;

	memset(out, 0, sizeof(*out));
	out->domain = m->domain;
	before = cofm_domains_go(out->domain);
	cofm_lines_before(m);
	if (own)
		cofm_method_flags_set(m->mono, COFM_BIT_DYNAMIC);
	cofm_cctors_begin();
	cfg = mini_method_compile(m->instance,
				  mono_get_optimizations_for_method(m->mono,
								    opt),
				  out->domain->mono, COFM_RUN_CCTORS, 0, -1);
	early = cofm_cctors_end();
	if (own)
		cofm_method_flags_clear(m->mono, COFM_BIT_DYNAMIC);
	fine = cofm_int_at(cfg, COFM_CFG_EXCEPTION) == 0;
	if (fine) {
		out->info = cofm_pointer_at(cfg, COFM_CFG_JIT_INFO);
		out->code = cofm_pointer_at(cfg, COFM_CFG_CODE);
		out->size = (uint32_t)cofm_int_at(cfg, COFM_CFG_CODE_LEN);
		out->dynamic = cofm_pointer_at(cfg, COFM_CFG_DYNAMIC);
		fine = is_right(m, out);
	}
	if (fine && out->dynamic) {
		out->manager = cofm_pointer_at(out->dynamic, COFM_DYNAMIC_CODE);
		if (out->manager)
			cofm_jit_record_begin(out->info);
	}
	cofm_lines_after(m, fine ? out : NULL, cfg);
	mono_destroy_compile(cfg);
	cofm_domains_back(before);
	if (!fine)
		atomic_store_explicit(&m->too_early, early,
				      memory_order_relaxed);
	return fine ? 0 : -1;
}
