/*
 * test_stepped_phases.c - a stepped program that goes between two phases
 *
 *	phase 0		"both" at its begin, "first"
 *	phase 1		"both" at its end, "then"
 *
 * The mode is full: methods are instrumented, built with their profiles, and
 * tried. Versions that belong to a phase come back with it. The test says how
 * long versions take.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "stepped_loop.h"
#include "tests/cof/optimizer/instrumented/counter.h"

#define US       UINT64_C(1000)
#define METHODS  3u
#define PHASE_S  60u		/* how long a phase lasts */
#define PHASES   8u		/* in a run: to and fro */

enum method { BOTH, FIRST, THEN };

static struct toy toy;

static int worth_a_profile(void *ctx, void *m, enum cof_plan now,
			   enum cof_plan plan, struct cof_estimate *out)
{
	(void)ctx, (void)m;
	*out = (struct cof_estimate){ .speedup = 2, .cost_ns = 2000 * US };
	return now == COF_PLAN_NONE && plan == COF_PLAN_PROFILE ? 0 : -1;
}

static int adds_uncalled;

static void start(const char *options)
{
	static const char *const name[METHODS] = { "both", "first", "then" };
	struct cof_host host = counter_host(&toy);
	char why[COF_WHY_BYTES] = "";

	host.estimate = worth_a_profile;
	host.adds_uncalled = adds_uncalled;
	if (stepped_start(&host, options, false, why) != 0)
		fail_msg("%s", why);
	toy.cof = stepped.cof;
	for (unsigned i = 0; i < METHODS; i++) {
		counter[i].m = (struct toy_method){
			.name = name[i], .turns = 64, .step = (int)i + 1,
		};
		assert_int_equal(toy_add(&toy, &counter[i].m), 0);
	}
}

static const struct cof_version *current(enum method i)
{
	return atomic_load(&counter[i].m.method->current);
}

/* Call it once; the phase says where in its code the time goes. */
static void call(enum method i, unsigned phase)
{
	const struct cof_version *v;
	uint64_t ns = 400 * US;

	assert_int_equal(toy_call(&counter[i].m, 1).value, 1 + 64 * (i + 1l));
	v = current(i);
	if (v->code.counting) {
		counter[i].counted += 1000;
		ns += 100 * US;
	} else if (v->plan == COF_PLAN_PROFILE) {
		ns /= 2;
	}
	stepped_spend((const char *)v->code.start +
		      (phase ? v->code.end - v->code.start - 1 : 0), ns);
}

static void run_phase(unsigned phase)
{
	uint64_t end_ns = stepped.now_ns + PHASE_S * STEPPED_S;

	while (stepped.now_ns < end_ns) {
		call(BOTH, phase);
		call(phase ? THEN : FIRST, phase);
	}
}

static void finish(void)
{
	cof_stop(toy.cof);
	if (getenv("COF_TEST_SHOW"))
		show_flow(toy.cof->flow);
	assert_null(unbalanced(toy.cof->flow));
	stepped_free();
	assert_int_equal(toy.discarded, toy.versions);
	toy = (struct toy){ .cof = NULL };
}

static int teardown(void **state)
{
	(void)state;
	if (stepped.cof)
		stepped_free();
	toy = (struct toy){ .cof = NULL };
	adds_uncalled = 0;
	return 0;
}

#define FULL "mode=full,stats=none,history=none,code_mb=16,unit_methods=1"

static void to_and_fro(void)
{
	start(FULL);
	for (unsigned i = 0; i < PHASES; i++)
		run_phase(i % 2);
}

static void versions_come_back_with_their_phases(void **state)
{
	const struct cof_flow *flow;

	(void)state;
	to_and_fro();
	flow = toy.cof->flow;
	assert_int_equal(flow->phase.known, 2);
	assert_int_equal(flow->phase.begun, PHASES);
	for (unsigned i = 0; i < METHODS; i++)
		assert_int_equal(current(i)->plan, COF_PLAN_PROFILE);
	/* Only the method that differs between the phases has two. */
	assert_int_equal(flow->profile.reprofiled, 1);
	assert_int_equal(flow->profile.built, METHODS + 1);
	assert_true(flow->reuse.reused >= PHASES / 2);
	finish();
}

static void a_second_run_is_equal_to_the_first(void **state)
{
	struct cof_flow *first = calloc(1, sizeof(*first));

	(void)state;
	assert_non_null(first);
	for (int run = 0; run < 2; run++) {
		to_and_fro();
		for (size_t i = 0; i < cof_flow_table_len; i++) {
			const struct cof_flow_desc *d = &cof_flow_table[i];
			uint64_t v = cof_flow_read(toy.cof->flow, d);

			if (run > 0 && strcmp(d->stage, "memory") != 0 &&
			    cof_flow_read(first, d) != v)
				fail_msg("%s %s", d->stage, d->name);
		}
		memcpy(first, toy.cof->flow, sizeof(*first));
		finish();
	}
	free(first);
}

static void mode_pgo_needs_no_sample(void **state)
{
	(void)state;
	start("mode=pgo,stats=none,history=none,code_mb=16,"
	      "profile_counts=5000");
	run_phase(0);
	for (unsigned i = BOTH; i <= FIRST; i++)
		assert_int_equal(current(i)->plan, COF_PLAN_PROFILE);
	assert_int_equal(toy.cof->flow->profile.built, 2);
	assert_int_equal(toy.cof->flow->sampler.taken, 0);
	assert_int_equal(toy.cof->flow->reclaim.waiting, 0);
	finish();
}

static void mode_pgo_takes_what_is_sampled(void **state)
{
	const struct cof_flow *flow;

	(void)state;
	adds_uncalled = 1;
	start("mode=pgo,stats=none,history=none,code_mb=16,"
	      "profile_counts=5000");
	flow = toy.cof->flow;
	/* Its first version is added here, and no sample falls there. */
	assert_int_equal(toy_call(&counter[THEN].m, 1).value, 1 + 64 * 3);
	run_phase(0);
	for (unsigned i = BOTH; i <= FIRST; i++)
		assert_int_equal(current(i)->plan, COF_PLAN_PROFILE);
	assert_int_equal(current(THEN)->number, 0);
	assert_int_equal(flow->optimizer.just_compiled, 2);
	assert_int_equal(flow->profile.picked, 2);
	assert_true(flow->sampler.taken > 0);
	run_phase(1);
	assert_int_equal(current(THEN)->plan, COF_PLAN_PROFILE);
	assert_int_equal(flow->profile.picked, METHODS);
	assert_int_equal(flow->profile.built, METHODS);
	finish();
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(versions_come_back_with_their_phases),
		T(a_second_run_is_equal_to_the_first),
		T(mode_pgo_needs_no_sample),
		T(mode_pgo_takes_what_is_sampled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
