/*
 * test_audit_cost.c - trials that cost too much rest or end
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "audited.h"
#include "base/units.h"
#include "optimizer/trial/trial_scheduler.h"

static void what_costs_too_much_rests_in_the_one_that_looks_better(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_trial_budget *budget =
		&cof_audit_scheduler(cof)->budget;
	struct cof_version *a = current(0);

	(void)state;
	cost[0] = 1.05;
	b[0] = build(0, 1, speed);
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.turns < 40)
		slice(b);
	assert_int_equal(cof->flow->audit.pausing, 0);
	cof_trial_budget_lose(budget, 1e18);
	while (cof->flow->audit.pausing == 0)
		slice(b);
	for (int i = 0; i < 6; i++) {
		slice(b);
		assert_ptr_equal(current(0), a);
		assert_int_equal(method[0]->thunk.callers, COF_THUNKED_NO);
	}
	cof_trial_budget_lose(budget, -1e18);
	until_the_end(b);
	assert_int_equal(cof->flow->audit.rolled_back, 1);
	assert_ptr_equal(current(0), a);
}

/* Callers go straight to the current version while entries are not counted. */
static void thunks_are_there_only_while_they_count(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	unsigned by_thunk = 0, straight = 0;

	(void)state;
	cost[0] = 1;
	b[0] = build(0, 1, speed);
	cof_audit_turn(cof, NULL);
	for (int i = 0; i < 108 && cof_method_on_trial(method[0]); i++) {
		struct cof_trial *t = method[0]->trial.now;

		assert_int_equal(method[0]->thunk.callers != COF_THUNKED_NO,
				 t->counting);
		assert_int_equal(run(0), current(0) == b[0]);
		if (t->counting)
			by_thunk++;
		else
			straight++;
		if (i == 100)
			cof_trial_budget_count(
				&cof_audit_scheduler(cof)->budget,
				UINT64_C(1) << 40, false);
		slice(b);
	}
	assert_true(by_thunk > 0);
	assert_true(straight > 0);
}

/* The method is entered all the time, and takes no time. */
static void what_cannot_repay_being_counted_is_over_soon(void **state)
{
	struct cof_version *b = build(0, 1, speed);
	struct cof_trial *t = method[0]->trial.now;

	(void)state;
	cof_audit_turn(cof, NULL);
	while (cof->flow->audit.now > 0) {
		cof_count_add(&cof->flow->sampler.taken, 2000);
		cof_count_add(&cof->flow->sampler.drop_NATIVE, 2000);
		if (t->counting)
			atomic_fetch_add(method[0]->thunk.entries, 1000000);
		slices = cof->flow->audit.turns;
		while (cof->flow->audit.turns == slices &&
		       cof->flow->audit.now > 0)
			cof_audit_turn(cof, NULL);
	}
	assert_int_equal(cof->flow->audit.not_worth, 1);
	assert_int_equal(cof->flow->audit.drop_UNSEEN +
			 cof->flow->audit.unclear_kept +
			 cof->flow->audit.unclear_back, 1);
	assert_true(current(0) == b || cof->flow->audit.unclear_back);
}

/* Earlier runs found it four times as fast, so A's turns are dear. */
static void what_is_tried_again_takes_few_turns_of_the_one_before(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	uint64_t lost = COF_TUNE(trial_budget_first_ms) * COF_MS_NS;

	(void)state;
	cost[0] = 0.25;
	b[0] = build(0, 1, (struct built){ .plan = COF_PLAN_PROFILE,
					   .proven_permille = 4000 });
	cof_audit_turn(cof, NULL);
	/* What there is at first is spent. */
	cof_trial_budget_lose(&cof_audit_scheduler(cof)->budget,
			      COF_TUNE(trial_budget_first_ms) * 1e6);
	while (cof_method_on_trial(method[0]) &&
	       cof->flow->audit.pausing == 0) {
		bool of_a = current(0) != b[0];

		slice(b);
		if (of_a)
			assert_true(cof->flow->audit.lost_ns > lost);
		else
			assert_true(cof->flow->audit.lost_ns <= lost);
		lost = cof->flow->audit.lost_ns;
	}
	assert_true(cof_method_on_trial(method[0]));
	assert_ptr_equal(current(0), b[0]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define RETRY(name) cmocka_unit_test_setup_teardown(name, setup_retry, teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_costs_too_much_rests_in_the_one_that_looks_better),
		TEST(thunks_are_there_only_while_they_count),
		TEST(what_cannot_repay_being_counted_is_over_soon),
		RETRY(what_is_tried_again_takes_few_turns_of_the_one_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
