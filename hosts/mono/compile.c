/*
 * compile.c - call mini_method_compile(), and read what came out
 */
#include "compile.h"

#include <string.h>

#include "bits.h"
#include "internals.h"

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

int cofm_compile(struct cofm_method *m, uint32_t opt, bool own,
		 struct cofm_body *out)
{
	struct cofm *host = m->host;
	const char *dynamic;
	bool fine;
	char *cfg;

	memset(out, 0, sizeof(*out));
	if (own)
		cofm_bits_set(m->mono, COFM_BIT_DYNAMIC);
	cfg = mini_method_compile(m->mono,
				  mono_get_optimizations_for_method(m->mono, opt),
				  host->domain, NO_CCTORS, 0, -1);
	if (own)
		cofm_bits_clear(m->mono, COFM_BIT_DYNAMIC);
	fine = int_at(cfg, COFM_CFG_EXCEPTION) == 0;
	if (fine) {
		out->info = pointer_at(cfg, COFM_CFG_JIT_INFO);
		out->code = pointer_at(cfg, COFM_CFG_CODE);
		out->size = (uint32_t)int_at(cfg, COFM_CFG_CODE_LEN);
		dynamic = pointer_at(cfg, COFM_CFG_DYNAMIC);
		if (dynamic)
			out->manager = pointer_at(dynamic, COFM_DYNAMIC_CODE);
	}
	mono_destroy_compile(cfg);
	return fine ? 0 : -1;
}

void cofm_body_free(struct cofm *host, const struct cofm_body *body)
{
	if (!body->manager)
		return;
	mono_jit_info_table_remove(host->domain, body->info);
	mono_code_manager_destroy(body->manager);
}
