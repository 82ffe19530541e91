/*
 * test_budget.c - the sampling period follows what sampling costs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "sampler/budget.h"

#define MS 1000000u

/* A window of 1 s of guest time with 1 % allowed, of which cost_ns was
 * spent. */
static struct cof_budget spent(uint64_t cost_ns)
{
	return (struct cof_budget){
		.handler_ns = cost_ns, .guest_ns = 1000 * MS,
		.limit_permille = 10, .asked_ns = 4 * MS, .period_ns = 4 * MS,
	};
}

static void cost_is_all_there_is(void **state)
{
	struct cof_budget b = { .handler_ns = 1, .delivery_ns = 20,
				.sam_ns = 300 };

	(void)state;
	assert_int_equal(cof_budget_cost(&b), 321);
}

static void within_the_limit_nothing_moves(void **state)
{
	struct cof_budget b;

	(void)state;
	for (uint64_t cost = 6 * MS; cost <= 10 * MS; cost += MS) {
		b = spent(cost);
		b.period_ns = 9 * MS;
		assert_int_equal(cof_budget_period(&b), 9 * MS);
	}
}

static void over_the_limit_the_period_grows_to_aim_below_it(void **state)
{
	struct cof_budget b = spent(16 * MS);

	(void)state;
	/* Twice as long halves the cost, which is then 80 % of the limit. */
	assert_int_equal(cof_budget_period(&b), 8 * MS);
}

static void it_grows_by_no_more_than_four_at_a_time(void **state)
{
	struct cof_budget b = spent(900 * MS);

	(void)state;
	assert_int_equal(cof_budget_period(&b), 16 * MS);
	b.period_ns = 500 * MS;
	assert_int_equal(cof_budget_period(&b), COF_BUDGET_PERIOD_MAX_NS);
}

static void below_the_limit_it_shrinks_down_to_what_was_asked(
	void **state)
{
	struct cof_budget b = spent(0);

	(void)state;
	b.period_ns = 10 * MS;
	assert_int_equal(cof_budget_period(&b), 8 * MS);
	b.period_ns = 4 * MS + 1;
	assert_int_equal(cof_budget_period(&b), 4 * MS);
	b.period_ns = 4 * MS;
	assert_int_equal(cof_budget_period(&b), 4 * MS);
}

static void it_settles_where_the_cost_fits(void **state)
{
	uint64_t period = 100000, last = 0;
	int moves = 0;

	(void)state;
	/* 10 kHz at 30 us each are 30 %, as measured in a VM with
	 * perf-clock. */
	for (int window = 0; window < 50; window++) {
		struct cof_budget b = {
			.delivery_ns = 1000 * MS / period * 30000,
			.sam_ns = MS / 10, .guest_ns = 1000 * MS,
			.limit_permille = 10, .asked_ns = 100000,
			.period_ns = period,
		};

		last = cof_budget_period(&b);
		moves += last != period;
		period = last;
	}
	assert_in_range(moves, 1, 5);
	assert_in_range(1000 * MS / period * 30000 + MS / 10, 6 * MS, 10 * MS);
}

static void without_a_limit_the_period_is_what_was_asked(void **state)
{
	struct cof_budget b = spent(900 * MS);

	(void)state;
	b.limit_permille = 0;
	b.period_ns = 77 * MS;
	assert_int_equal(cof_budget_period(&b), 4 * MS);
}

static void a_guest_that_hardly_ran_decides_nothing(void **state)
{
	struct cof_budget b = spent(900 * MS);

	(void)state;
	b.guest_ns = COF_BUDGET_WINDOW_MIN_NS - 1;
	assert_int_equal(cof_budget_period(&b), 4 * MS);
}

static void a_period_asked_for_beyond_the_maximum_is_not_cut(void **state)
{
	struct cof_budget b = spent(900 * MS);

	(void)state;
	b.asked_ns = b.period_ns = COF_BUDGET_PERIOD_MAX_NS;
	assert_int_equal(cof_budget_period(&b), (uint64_t)4 * 1000 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cost_is_all_there_is),
		cmocka_unit_test(within_the_limit_nothing_moves),
		cmocka_unit_test(
			over_the_limit_the_period_grows_to_aim_below_it),
		cmocka_unit_test(it_grows_by_no_more_than_four_at_a_time),
		cmocka_unit_test(
			below_the_limit_it_shrinks_down_to_what_was_asked),
		cmocka_unit_test(it_settles_where_the_cost_fits),
		cmocka_unit_test(without_a_limit_the_period_is_what_was_asked),
		cmocka_unit_test(a_guest_that_hardly_ran_decides_nothing),
		cmocka_unit_test(
			a_period_asked_for_beyond_the_maximum_is_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
