/*
 * test_profiling_any.c - profiles with samples, under stress, and on stop
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "profiling.h"

static void stop_comes_at_any_moment(void **state)
{
	static const char *const mode[] = { "full", "pgo", "auto" };

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		char options[160];

		setup(NULL);
		snprintf(options, sizeof(options), "mode=%s,workers=%u,"
			 "profile_generations=3,source=none,"
			 "profile_slow_pct=0,%s", mode[i % 3], 1 + i % 2,
			 i % 4 < 2 ? "audit=off" : "");
		begin(options);
		if (i % 5 != 0)
			fill_all(N);
		for (unsigned k = 0; k < i / 3; k++) {
			if (i % 3 != 1)
				forecast((int)(k % N), 1000);
			nap();
			go_on();
		}
		finish();
	}
}

/* Method 0, again and again. */
static void run_hot(bool (*done)(void))
{
	struct patience p = patience_begin();

	counter[0].m.turns = 64000;
	counter[0].m.step = 3;
	counter[0].counted = 1000;
	do {
		for (int i = 0; i < 20; i++)
			assert_int_equal(toy_call(&counter[0].m, 1).value,
					 1 + 64000l * 3);
	} while (!done() && !patience_is_over(&p));
}

static bool is_profiled(void)
{
	return plan(0) == COF_PLAN_PROFILE;
}

static void a_method_that_is_sampled_ends_with_its_profile(void **state)
{
	(void)state;
	start("mode=full,audit=off,drain_ms=5,generation_ms=40,"
	      "profile_slow_pct=0,budget_permille=0");
	run_hot(is_profiled);
	assert_true(is_profiled());
	toy_run_finish();
}

static bool is_enough(void)
{
	return flow()->built > 20;
}

static void under_stress_everything_stays_right(void **state)
{
	(void)state;
	start("mode=full,stress=7,drain_ms=5,generation_ms=10,"
	      "budget_permille=0,profile_generations=3");
	run_hot(is_enough);
	assert_true(is_enough());
	toy_run_finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(stop_comes_at_any_moment),
		T(a_method_that_is_sampled_ends_with_its_profile),
		T(under_stress_everything_stays_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
