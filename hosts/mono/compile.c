/*
 * compile.c - call mini_method_compile(), and read what came out
 */
#include "compile.h"

#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "check.h"
#include "internals.h"
#include "lines.h"
#include "record.h"

/* Class constructors run when the program runs, on its threads, not here. */
#define NO_CCTORS 0

static void *pointer_at(const char *cfg, size_t offset)
{
	void *p;

	memcpy(&p, cfg + offset, sizeof(p));
	return p;
}

static int32_t int_at(const char *cfg, size_t offset)
{
	int32_t v;

	memcpy(&v, cfg + offset, sizeof(v));
	return v;
}

/* False: Mono is another than it says, and nothing is done from now on. */
static bool is_right(struct cofm *host, const struct cofm_body *body)
{
	if (cofm_check_body(host->domain, body))
		return true;
	if (atomic_exchange(&host->running, false))
		fprintf(stderr, "runtime: Mono's compiler is not the known "
			"one; running without optimization\n");
	return false;
}

int cofm_compile(struct cofm_method *m, uint32_t opt, bool own,
		 struct cofm_body *out)
{
	struct cofm *host = m->host;
	bool fine;
	char *cfg;

	memset(out, 0, sizeof(*out));
	cofm_lines_before(m);
	if (own)
		cofm_bits_set(m->mono, COFM_BIT_DYNAMIC);
	cfg = mini_method_compile(m->instance,
				  mono_get_optimizations_for_method(m->mono, opt),
				  host->domain, NO_CCTORS, 0, -1);
	if (own)
		cofm_bits_clear(m->mono, COFM_BIT_DYNAMIC);
	fine = int_at(cfg, COFM_CFG_EXCEPTION) == 0;
	if (fine) {
		out->info = pointer_at(cfg, COFM_CFG_JIT_INFO);
		out->code = pointer_at(cfg, COFM_CFG_CODE);
		out->size = (uint32_t)int_at(cfg, COFM_CFG_CODE_LEN);
		fine = is_right(host, out);
	}
	if (fine) {
		out->dynamic = pointer_at(cfg, COFM_CFG_DYNAMIC);
		if (out->dynamic)
			out->manager = pointer_at(out->dynamic,
						  COFM_DYNAMIC_CODE);
		if (out->manager)
			cofm_record_begin(out->info);
	}
	cofm_lines_after(m, fine ? out : NULL);
	mono_destroy_compile(cfg);
	return fine ? 0 : -1;
}
