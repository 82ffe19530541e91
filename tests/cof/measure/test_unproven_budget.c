/*
 * test_unproven_budget.c - a part of the program's time, until a gain is proven
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/unproven_budget.h"

#define MS 1e6

static void builds_may_spend_their_part_of_the_programs_time(void **state)
{
	struct cof_unproven_budget b = { 0 };

	(void)state;
	assert_true(cof_unproven_budget_left(&b, 0.05, 0) == 0);
	assert_true(cof_unproven_budget_left(&b, 0.05, 1000 * MS) == 50 * MS);
	cof_unproven_budget_queue(&b, 20 * MS);
	assert_true(cof_unproven_budget_left(&b, 0.05, 1000 * MS) == 30 * MS);
	/* It took longer than was expected. */
	cof_unproven_budget_end(&b, 20 * MS, 45 * MS);
	assert_true(cof_unproven_budget_left(&b, 0.05, 1000 * MS) == 5 * MS);
	cof_unproven_budget_queue(&b, 20 * MS);
	assert_true(cof_unproven_budget_left(&b, 0.05, 1000 * MS) == 0);
	assert_true(cof_unproven_budget_left(&b, 0.05, 2000 * MS) == 35 * MS);
}

static void a_run_that_is_known_to_be_long_may_spend_early(void **state)
{
	struct cof_unproven_budget b = { 0 };
	const struct cof_unproven_past past = { .typical_ns = 10000 * MS };

	(void)state;
	cof_unproven_budget_past(&b, &past);
	assert_true(cof_unproven_budget_left(&b, 0.05, 10 * MS) == 500 * MS);
	assert_true(cof_unproven_budget_left(&b, 0.05, 20000 * MS) ==
		    1000 * MS);
}

static void what_earlier_runs_left_may_be_spent_too(void **state)
{
	struct cof_unproven_budget b = { 0 };
	struct cof_unproven_past past = { .typical_ns = 1000 * MS,
					  .used_ns = 4000 * MS,
					  .built_ns = 80 * MS };

	(void)state;
	cof_unproven_budget_past(&b, &past);
	assert_true(cof_unproven_budget_left(&b, 0.05, 0) == 170 * MS);
	cof_unproven_budget_end(&b, 0, 150 * MS);
	assert_true(cof_unproven_budget_left(&b, 0.05, 0) == 20 * MS);
	/* So much is not built any more before the run ends. */
	b.spent_ns = 0;
	assert_true(cof_unproven_budget_left(&b, 0.05, 900 * MS) == 150 * MS);
	assert_true(cof_unproven_budget_left(&b, 0.05, 1000 * MS) == 50 * MS);
	/* Those that spent more have left nothing, and no debt. */
	past.built_ns = 900 * MS;
	cof_unproven_budget_past(&b, &past);
	b.spent_ns = 0;
	assert_true(cof_unproven_budget_left(&b, 0.05, 0) == 50 * MS);
}

static void runs_that_were_faster_end_the_limit(void **state)
{
	struct cof_unproven_budget b = { 0 };
	const struct cof_unproven_past past = { .typical_ns = 1000 * MS,
						.gained = true };

	(void)state;
	cof_unproven_budget_past(&b, &past);
	assert_true(isinf(cof_unproven_budget_left(&b, 0.05, 0)));
}

static void a_gain_that_was_measured_ends_the_limit(void **state)
{
	struct cof_unproven_budget b = { 0 };

	(void)state;
	cof_unproven_budget_learn(&b, 0, 0.5);
	cof_unproven_budget_learn(&b, 1, 0.5);
	assert_true(cof_unproven_budget_left(&b, 0.05, 0) == 0);
	cof_unproven_budget_learn(&b, 1.02, 0.5);
	assert_true(isinf(cof_unproven_budget_left(&b, 0.05, 0)));
	cof_unproven_budget_queue(&b, 1e12);
	assert_true(isinf(cof_unproven_budget_left(&b, 0.05, 0)));
}

static void what_is_finished_after_the_run_is_no_reason_to_spend(void **state)
{
	struct cof_unproven_budget b = { 0 };
	const struct cof_unproven_past past = { .typical_ns = 1000 * MS,
						.used_ns = 4000 * MS,
						.finished = true };

	(void)state;
	cof_unproven_budget_past(&b, &past);
	assert_true(cof_unproven_budget_left(&b, 0.05, 0) == 50 * MS);
	/* A gain of a tenth of the time. */
	cof_unproven_budget_learn(&b, 1.25, 0.5);
	assert_true(fabs(cof_unproven_budget_left(&b, 0.05, 0) - 150 * MS) < 1);
	cof_unproven_budget_known(&b, 1.25, 0.5);
	assert_true(fabs(cof_unproven_budget_left(&b, 0.05, 0) - 150 * MS) < 1);
	/* It lasts longer than any before. */
	assert_true(isinf(cof_unproven_budget_left(&b, 0.05, 1001 * MS)));
}

static void counting_gets_a_share(void **state)
{
	struct cof_unproven_budget b = { 0 };
	const struct cof_unproven_past past = { .typical_ns = 1000 * MS };
	double all_ns;

	(void)state;
	/* Nobody knows how long it runs. */
	assert_true(isinf(cof_unproven_budget_counting_left(&b, 0.05,
							    1000 * MS)));
	cof_unproven_budget_past(&b, &past);
	all_ns = cof_unproven_budget_counting_left(&b, 0.05, 1000 * MS);
	assert_true(all_ns > 0 && all_ns < 50 * MS);
	cof_unproven_budget_counted(&b, all_ns / 2);
	assert_true(cof_unproven_budget_counting_left(&b, 0.05, 1000 * MS) ==
		    all_ns / 2);
	assert_true(cof_unproven_budget_left(&b, 0.05, 1000 * MS) ==
		    50 * MS - all_ns / 2);
	cof_unproven_budget_counted(&b, all_ns);
	assert_true(cof_unproven_budget_counting_left(&b, 0.05, 1000 * MS) ==
		    0);
	/* Builds may have spent it all. */
	b = (struct cof_unproven_budget){ 0 };
	cof_unproven_budget_past(&b, &past);
	cof_unproven_budget_end(&b, 0, 50 * MS);
	assert_true(cof_unproven_budget_counting_left(&b, 0.05, 1000 * MS) ==
		    0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			builds_may_spend_their_part_of_the_programs_time),
		cmocka_unit_test(
			a_run_that_is_known_to_be_long_may_spend_early),
		cmocka_unit_test(what_earlier_runs_left_may_be_spent_too),
		cmocka_unit_test(runs_that_were_faster_end_the_limit),
		cmocka_unit_test(a_gain_that_was_measured_ends_the_limit),
		cmocka_unit_test(
			what_is_finished_after_the_run_is_no_reason_to_spend),
		cmocka_unit_test(counting_gets_a_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
