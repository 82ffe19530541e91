/*
 * test_builds.c - builds wait their turn for a worker
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/cof/optimizer/gated.h"

static void the_most_urgent_build_goes_first(void **state)
{
	static const char *const expected[] = { "a", "d", "b", "c" };

	(void)state;
	host.build = wait_at_gate;
	gate = 1;
	start("workers=1");
	forecast(0, 10);
	WAIT(inside == 1);		/* the one worker is busy */
	forecast(1, 500);
	forecast(2, 100);
	forecast(3, 900);
	WAIT(flow()->queued == 3);
	gate = 0;
	WAIT(flow()->built == 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(order[i], expected[i]);
	toy_run_finish();
}

static void workers_build_side_by_side(void **state)
{
	(void)state;
	host.build = wait_at_gate;
	gate = 1;
	start("workers=3,build_pct=6400");
	for (int i = 0; i < 4; i++)
		forecast(i, 1000);
	WAIT(inside == 3 && flow()->queued == 1);
	gate = 0;
	WAIT(flow()->built == 4);
	toy_run_finish();
}

static int costs(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		 struct cof_estimate *out)
{
	/* a, b, c; of the time that nobody waits here. */
	static const uint64_t ns[] = { UINT64_C(4000000000000),
				       UINT64_C(900000000000),
				       UINT64_C(1100000000000) };

	(void)ctx;
	if (plan <= now)
		return 1;
	*out = (struct cof_estimate){
		.speedup = 2,
		.cost_ns = ns[((struct toy_method *)m)->name[0] - 'a'],
	};
	return 0;
}

static void a_build_much_shorter_than_one_that_runs_does_not_wait_for_it(
	void **state)
{
	(void)state;
	host.build = wait_at_gate;
	host.estimate = costs;
	gate = 1;
	start("workers=2,build_pct=6400");
	forecast(0, 100000000);
	WAIT(inside == 1);
	forecast(2, 100000000);		/* more than a quarter of it */
	WAIT(flow()->queued == 1);
	forecast(1, 100000000);		/* less */
	WAIT(inside == 2);
	assert_string_equal(order[1], "b");
	assert_int_equal(flow()->queued, 1);
	gate = 0;
	WAIT(flow()->built == 3);
	toy_run_finish();
}

static void stopping_drops_what_is_queued_and_discards_what_is_built(
	void **state)
{
	(void)state;
	host.build = wait_at_gate;
	gate = 1;		/* only *stop opens it */
	start("workers=1");
	for (int i = 0; i < 4; i++)
		forecast(i, 1000);
	WAIT(inside == 1 && flow()->queued == 3);
	cof_stop(toy.cof);
	assert_int_equal(flow()->drop_STOPPED, 4);
	assert_int_equal(flow()->built, 0);
	assert_int_equal(toy.discarded, 1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(plan_of(i), COF_PLAN_NONE);
	toy_run_finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_most_urgent_build_goes_first),
		T(workers_build_side_by_side),
		T(a_build_much_shorter_than_one_that_runs_does_not_wait_for_it),
		T(stopping_drops_what_is_queued_and_discards_what_is_built),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
