/*
 * test_trial_budget.c - what trials may cost the program
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/trial/trial_budget.h"

#define SECOND UINT64_C(1000000000)
#define FIRST  20000000.0	/* ns */

static void there_is_something_at_first(void **state)
{
	struct cof_trial_budget p = { .part = 0.01 };

	(void)state;
	assert_true(cof_trial_budget_may_count(&p));
	assert_true(cof_trial_budget_may_turn(&p));
	cof_trial_budget_lose(&p, FIRST);
	assert_true(cof_trial_budget_may_turn(&p));
	cof_trial_budget_lose(&p, 1);
	assert_false(cof_trial_budget_may_turn(&p));
	assert_false(cof_trial_budget_may_count(&p));
}

static void then_it_is_a_part_of_the_programs_time(void **state)
{
	struct cof_trial_budget p = { .part = 0.01 };

	(void)state;
	cof_trial_budget_lose(&p, FIRST + 0.05 * SECOND);
	cof_trial_budget_pass(&p, 4 * SECOND);
	assert_false(cof_trial_budget_may_turn(&p));
	cof_trial_budget_pass(&p, SECOND);
	assert_true(cof_trial_budget_may_turn(&p));
}

/* Turns go on while nothing is counted. */
static void entries_have_half_of_it(void **state)
{
	struct cof_trial_budget p = { .part = 0.01 };
	uint64_t n = 0;

	(void)state;
	while (cof_trial_budget_may_count(&p) && n < 1000) {
		cof_trial_budget_count(&p, 100000, false);
		n++;
	}
	assert_in_range(n, 2, 999);
	assert_true(cof_trial_budget_may_turn(&p));
	assert_true(p.count_ns >= FIRST / 2 && p.count_ns < FIRST);
}

static void threads_that_fight_for_the_line_make_it_dear(void **state)
{
	struct cof_trial_budget p = { .part = 0.01 };
	double one = cof_trial_budget_count(&p, 1000, false);
	double many = cof_trial_budget_count(&p, 1000, true);

	(void)state;
	assert_true(one > 0);
	assert_true(many >= 10 * one);
	assert_true(p.count_ns == one + many);
}

static void without_a_part_there_is_no_more_than_at_first(void **state)
{
	struct cof_trial_budget p = { .part = 0 };

	(void)state;
	cof_trial_budget_lose(&p, FIRST + 1);
	cof_trial_budget_pass(&p, 1000000 * SECOND);
	assert_false(cof_trial_budget_may_turn(&p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_something_at_first),
		cmocka_unit_test(then_it_is_a_part_of_the_programs_time),
		cmocka_unit_test(entries_have_half_of_it),
		cmocka_unit_test(threads_that_fight_for_the_line_make_it_dear),
		cmocka_unit_test(without_a_part_there_is_no_more_than_at_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
