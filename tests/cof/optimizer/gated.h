/*
 * gated.h - toy methods forecast by hand, and builds that wait at a gate
 */
#pragma once

#include "by_hand.h"

#define OPTIONS "mode=co,source=none,stats=none,reclaim_ms=1," \
		"backoff_generations=60000,"
static struct toy_method method[N];

/* What the wrapped host does, and what it saw. */
static int (*toy_build)(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out);
static _Atomic int gate;		/* builds wait while it is 1 */
static _Atomic int inside;		/* builds begun */
static const char *_Atomic order[N];	/* names, in order of arrival */

static inline int setup(void **state)
{
	toy_run_reset(state);
	toy_build = host.build;
	gate = inside = 0;
	return 0;
}

static inline void start(const char *options)
{
	toy_run_start(OPTIONS, options);
	for (int i = 0; i < N; i++) {
		by_hand_add(&method[i], i);
		by_hand_call(&method[i]);
	}
}

static inline struct cof_flow_optimizer *flow(void)
{
	return &toy.cof->flow->optimizer;
}

/* Of the version that answers now. */
static inline unsigned plan_of(int i)
{
	return toy_call(&method[i], 1).version & 3;
}

static inline void forecast(int i, uint64_t samples)
{
	by_hand_forecast(&method[i], samples);
}

/* And method 0 is forecast. */
static inline void start_hot(const char *options)
{
	start(options);
	forecast(0, 1000);
}

#define WAIT(cond) toy_run_until(cond)

static inline int wait_at_gate(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out)
{
	int n = inside++;

	if (n < N)
		order[n] = ((struct toy_method *)ir)->name;
	while (gate && !__atomic_load_n(stop, __ATOMIC_RELAXED))
		nap();
	return toy_build(ctx, ir, plan, stop, out);
}

/* Method 0 is being built, until the gate opens. */
static inline void start_at_gate(void)
{
	host.build = wait_at_gate;
	gate = 1;
	start_hot("");
	WAIT(inside == 1);
}
