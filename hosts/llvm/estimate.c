/*
 * estimate.c - a table; see estimate.h
 */
#include "estimate.h"

#include "host.h"

/*
 * Medians over the hot functions of lua, sqlite, zstd and bzip2, in CPU time per
 * LLVM instruction of the body and as speed over the first version. libcof
 * corrects the cost by what it measures; bench/programs shows both.
 */
static const struct plan {
	uint64_t ns_per_instruction;
	double   speed;
} plans[COF_PLAN_COUNT] = {
	[COF_PLAN_NONE]    = { 5000,   1.0 },
	[COF_PLAN_STATIC]  = { 20000,  1.5 },
	[COF_PLAN_AVERAGE] = { 40000,  1.8 },
	[COF_PLAN_SPEED]   = { 80000,  2.0 },
	/* With the build of the version that counts. */
	[COF_PLAN_PROFILE] = { 120000, 2.4 },
};

/* Of a build of next to nothing. Without it the first small builds would show that all
 * take several times as long as estimated, and what is large would not be worth it. */
#define FIXED_NS UINT64_C(4000000)

/* Of a build while a version comes for nothing. */
#define NOT_NOW_NS (UINT64_C(3600) * 1000000000)

/* What has samples and runs as compiled at first is made next (delivery.h). */
static bool comes_soon(const struct cofl_method *m, enum cof_plan now)
{
	return now == COF_PLAN_NONE &&
	       atomic_load_explicit(&m->host->image_comes,
				    memory_order_relaxed) &&
	       !atomic_load_explicit(&m->claimed, memory_order_relaxed) &&
	       cof_method_samples(m->method) > 0;
}

int cofl_estimate(void *ctx, void *method, enum cof_plan now,
		  enum cof_plan plan, struct cof_estimate *out)
{
	struct cofl_method *m = method;
	uint32_t n = atomic_load_explicit(&m->n_instructions,
					  memory_order_relaxed);

	(void)ctx;
	if (m->pinned || plan <= now ||
	    atomic_load_explicit(&m->keeps_labels, memory_order_relaxed))
		return 1;
	out->speedup = plans[plan].speed / plans[now].speed;
	out->cost_ns = comes_soon(m, now) ? NOT_NOW_NS :
		       FIXED_NS + n * plans[plan].ns_per_instruction;
	return 0;
}
