/*
 * known_hot.h - what tests of the known hot set do to methods of the toy
 */
#pragma once

#include "history_run.h"
#include "tests/support/balance.h"

/* Begin a run of method m0 after one that left the record. */
static inline void start_after(struct cof_history_record r,
			       struct toy_method *m0, const char *more)
{
	char all[100];

	remember(r);
	snprintf(all, sizeof(all),
		 "mode=auto,source=none,generation_ms=20,%.40s", more);
	start(all);
	toy_add(&toy, m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
}

/* For a test whose thread is attached, and that calls end_run() later. */
static inline void stop_and_balance(void)
{
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_null(unbalanced(toy.cof->flow));
}

static inline struct cof_version *current(const struct toy_method *m)
{
	return atomic_load(&m->method->current);
}

/* Calls m until a version built after the first one is current; returns its
 * plan. A trial may put the first one back the next moment. */
static inline enum cof_plan call_until_built(struct toy_method *m)
{
	const struct cof_version *v;

	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	wait_until((v = current(m))->number != 0, toy.cof->flow);
	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	return v->plan;
}

/* -- A host that counts ---------------------------------------------------- */

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

/* Begins a run after one in which m0 was counted, and became `permille` as fast
 * by its profile. */
static inline void start_measured(struct toy_method *m0, uint32_t permille,
			   const char *more)
{
	struct cof_history_record r = record_here(1, 1);

	counted = collected = loaded = 0;
	host.instrument = count_it;
	host.collect = collect_it;
	host.profile_load = load_it;
	r.method[0].measured_permille = permille;
	start_after(r, m0, more);
}

static inline void start_with_a_profile(struct toy_method *m0)
{
	start_measured(m0, 0, "");
}
