/*
 * warm.h - a run whose only method an earlier run built with a profile
 *
 * The toy host has that version cached, and says of it what the test wants.
 */
#pragma once

#include "tests/cof/history/known_hot.h"

static unsigned asked, loaded, instrumented;
static bool has_it;
static unsigned permille;		/* proven speed-up of its version */
static unsigned drift;
static int unseen;
static enum cof_plan over;
static enum cof_plan first;		/* plan of first versions */
static bool ran;			/* in the earlier run, with a profile */
static bool uncounted;			/* it was hot in it, and nothing else */
static unsigned not_now;		/* so often cached_counting() cannot
					 * say */

static inline int setup_cached(void **state)
{
	asked = loaded = instrumented = permille = drift = 0;
	unseen = 0;
	has_it = ran = true;
	uncounted = false;
	not_now = 0;
	over = COF_PLAN_AVERAGE;
	first = COF_PLAN_NONE;
	return setup_run(state);
}

static int give_cached(void *ctx, void *method, const void *profile,
		       size_t bytes, struct cof_version_desc *out)
{
	const int stop = 0;

	asked++;
	assert_int_equal(bytes, 11);
	assert_memory_equal(profile, "seen to run", 11);
	if (!has_it)
		return 1;
	out->proven_permille = permille;
	out->proven_over = over;
	out->drift_permille = drift;
	out->unseen = unseen;
	/* To the toy, a method is as good as its IR. */
	return host.build(ctx, method, COF_PLAN_PROFILE, &stop, out);
}

static int give_counting(void *ctx, void *method, struct cof_version_desc *out)
{
	const int stop = 0;

	asked++;
	if (not_now > 0) {
		not_now--;
		return -COF_E_STATE;
	}
	return has_it ? host.build(ctx, method, COF_PLAN_STATIC, &stop, out) :
			1;
}

static int instrument(void *ctx, void *ir, const int *stop,
		      struct cof_version_desc *out)
{
	instrumented++;
	return host.build(ctx, ir, COF_PLAN_STATIC, stop, out);
}

static int collect(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
	return 0;
}

static int load_it(void *ctx, void *method, const void *buf, size_t bytes)
{
	(void)ctx, (void)method, (void)buf, (void)bytes;
	loaded++;
	return 0;
}

static void compile_first(void *ctx, void *method)
{
	struct cof_version_desc desc = { .size = sizeof(desc) };
	struct toy_method *m = method;
	const int stop = 0;

	assert_int_equal(host.build(ctx, m, first, &stop, &desc), 0);
	assert_int_equal(cof_version_add(m->method, &desc), 0);
}

/* m0 was built with its profile in an earlier run, and this one is about to
 * begin. */
static inline void start_warm(struct toy_method *m0, const char *more)
{
	struct cof_history_record r = record_here(1, 1);

	host.first_call = compile_first;
	host.instrument = instrument;
	host.collect = collect;
	host.profile_load = load_it;
	host.cached_version = give_cached;
	if (!ran) {
		r.method[0].plan = COF_PLAN_NONE;
		r.method[0].promised_permille = 0;
		r.method[0].measured_permille = 0;
		r.method[0].audit = COF_HISTORY_UNTRIED;
	}
	if (uncounted) {
		host.cached_counting = give_counting;
		cof_mem_free(r.method[0].profile);
		r.method[0].profile = NULL;
		r.method[0].profile_bytes = 0;
		r.method[0].plan = COF_PLAN_AVERAGE;
		r.method[0].promised_permille = 0;
		r.method[0].measured_permille = 0;
		r.method[0].audit = COF_HISTORY_UNTRIED;
	}
	start_after(r, m0, more);
	compile_first(&toy, m0);
	cof_ready(toy.cof);
}
