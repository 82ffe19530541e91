/*
 * counting_host.h - the toy as a host that counts, and loads what was counted
 */
#pragma once

#include "known_hot.h"

static _Atomic unsigned counted, collected, loaded, refuse;
static char loaded_bytes[32];

static inline int count_it(void *ctx, void *ir, const int *quit,
			   struct cof_version_desc *out)
{
	atomic_fetch_add(&counted, 1);
	return host.build(ctx, ir, COF_PLAN_STATIC, quit, out);
}

static inline int collect_it(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
	atomic_fetch_add(&collected, 1);
	return 0;
}

static inline int load_it(void *ctx, void *method, const void *buf,
			  size_t bytes)
{
	(void)ctx, (void)method;
	if (bytes < sizeof(loaded_bytes))
		memcpy(loaded_bytes, buf, bytes);
	atomic_fetch_add(&loaded, 1);
	return refuse ? -1 : 0;
}

static inline void host_counts(void)
{
	counted = collected = loaded = 0;
	host.instrument = count_it;
	host.collect = collect_it;
	host.profile_load = load_it;
}

/* Of a run that ended before anything was built for m0, or counted. */
static inline struct cof_history_record record_uncounted(void)
{
	struct cof_history_record r = record_here(1, 1);

	cof_mem_free(r.method[0].profile);
	r.method[0].profile = NULL;
	r.method[0].profile_bytes = 0;
	r.method[0].plan = COF_PLAN_NONE;
	r.method[0].promised_permille = 0;
	return r;
}

/* Begins a run after one in which m0 was counted, and became `permille` as fast
 * by its profile. */
static inline void start_measured(struct toy_method *m0, uint32_t permille,
				  const char *more)
{
	struct cof_history_record r = record_here(1, 1);

	host_counts();
	r.method[0].measured_permille = permille;
	start_after(r, m0, more);
}

static inline void start_with_a_profile(struct toy_method *m0)
{
	start_measured(m0, 0, "");
}
