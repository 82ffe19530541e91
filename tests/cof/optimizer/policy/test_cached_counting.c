/*
 * test_cached_counting.c - what was hot and not counted counts without a build
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "optimizer/build/unproven.h"
#include "warm.h"

static int setup_uncounted(void **state)
{
	int err = setup_cached(state);

	uncounted = true;
	first = COF_PLAN_AVERAGE;
	return err;
}

static void it_counts_as_the_program_begins(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	/* It is never full. */
	start_warm(&m0, "unproven_pct=100,profile_generations=60000");
	assert_int_equal(current(&m0)->number, 1);
	assert_true(current(&m0)->code.counting);
	assert_int_equal(toy_call(&m0, 5).value, 5 + 1024);
	stop_and_balance();
	assert_int_equal(asked, 1);
	assert_int_equal(instrumented, 0);
	assert_int_equal(toy.gathered, 0);
	assert_int_equal(toy.cof->flow->profile.cached_counting, 1);
	assert_int_equal(toy.cof->flow->profile.instrumented, 1);
	end_run();
}

static void with_its_counts_it_is_built(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	start_warm(&m0, "unproven_pct=100,audit=off,profile_counts=1");
	wait_until(current(&m0)->plan == COF_PLAN_PROFILE, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(instrumented, 0);
	assert_int_equal(toy.cof->flow->profile.collected, 1);
	end_run();
}

static void what_is_being_made_is_asked_for_again(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	not_now = 3;
	start_warm(&m0, "unproven_pct=100,profile_generations=60000");
	wait_until(current(&m0)->code.counting, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(asked, 4);
	assert_int_equal(instrumented, 0);
	assert_int_equal(toy.cof->flow->optimizer.known, 4);
	assert_int_equal(toy.cof->flow->optimizer.drop_LATER, 3);
	end_run();
}

static void what_is_not_cached_is_made(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	has_it = false;
	start_warm(&m0, "unproven_pct=100,profile_generations=60000");
	wait_until(current(&m0)->code.counting, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(asked, 1);
	assert_int_equal(instrumented, 1);
	assert_int_equal(toy.cof->flow->profile.cached_counting, 0);
	end_run();
}

static void a_short_run_counts_when_it_is_well_under_way(void **state)
{
	static struct cof cof;

	(void)state;
	cof_opts_init(&cof.opts);
	cof.opts.mode = COF_MODE_AUTO;
	assert_false(cof_unproven_counts_later(&cof));
	assert_true(cof_unproven_may_count(&cof));
	/* Of a run as a rule only a moment is over. */
	cof.unproven.past.typical_ns = 1e15;
	cof.unproven.counted_ns = 0;
	assert_true(cof_unproven_counts_little(&cof));
	assert_true(cof_unproven_counts_later(&cof) ||
		    cof_clock_read(CLOCK_PROCESS_CPUTIME_ID) > 500000000);
	/* A compiler would have to be loaded first. */
	assert_true(cof_unproven_left_ns(&cof) > 0);
	cof.host.first_build_ns = UINT64_C(1) << 60;
	assert_true(cof_unproven_left_ns(&cof) == 0);
	assert_true(cof_unproven_may_count(&cof));
	cof_unproven_budget_queue(&cof.unproven, 1);
	assert_true(cof_unproven_left_ns(&cof) > 0);
	/* The user has decided. */
	cof.opts.mode = COF_MODE_FULL;
	assert_false(cof_unproven_counts_later(&cof));
	assert_false(cof_unproven_counts_little(&cof));
	cof.opts.mode = COF_MODE_AUTO;
	cof.opts.unproven_pct = 0;
	assert_false(cof_unproven_may_count(&cof));
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup_uncounted, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_counts_as_the_program_begins),
		T(with_its_counts_it_is_built),
		T(what_is_being_made_is_asked_for_again),
		T(what_is_not_cached_is_made),
		cmocka_unit_test(a_short_run_counts_when_it_is_well_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
