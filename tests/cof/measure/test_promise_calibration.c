/*
 * test_promise_calibration.c - measured gains correct the promises
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/promise_calibration.h"

static double ratio(const struct cof_promise_calibration *g)
{
	return cof_promise_calibration_ratio(g, COF_PLAN_SPEED);
}

static void learn(struct cof_promise_calibration *g, enum cof_plan plan,
		  double promised, double measured, double error)
{
	cof_promise_calibration_learn(g, plan, promised, measured, error);
}

static double corrected(const struct cof_promise_calibration *g)
{
	return 1.333 * cof_promise_calibration_ratio(g, COF_PLAN_PROFILE);
}

static void promises_are_believed_at_first(void **state)
{
	struct cof_promise_calibration g = { 0 };

	(void)state;
	assert_true(ratio(&g) == 1);
}

static void what_is_measured_again_and_again_is_learned(void **state)
{
	struct cof_promise_calibration g = { 0 };
	double last = 1;

	(void)state;
	for (int i = 0; i < 50; i++) {
		learn(&g, COF_PLAN_SPEED, 1.5, 1.2, 0.02);
		assert_true(ratio(&g) < last);
		last = ratio(&g);
	}
	assert_true(last > 1.2 / 1.5);
	assert_true(last < 1.2 / 1.5 * 1.05);
	assert_true(cof_promise_calibration_ratio(&g, COF_PLAN_AVERAGE) == 1);
}

static void one_trial_alone_does_not_convince(void **state)
{
	struct cof_promise_calibration g = { 0 };

	(void)state;
	learn(&g, COF_PLAN_SPEED, 1.5, 0.75, 0.01);
	assert_true(ratio(&g) > 0.8);
	assert_true(ratio(&g) < 0.9);
}

/* The host promised a third; it runs at less than half of the speed. */
static void the_first_bad_trial_does_not_end_a_plan(void **state)
{
	struct cof_promise_calibration g = { 0 };

	(void)state;
	learn(&g, COF_PLAN_PROFILE, 1.333, 0.4, 0.05);
	assert_true(corrected(&g) > 1.02);
	for (int i = 0; i < 6; i++)
		learn(&g, COF_PLAN_PROFILE, 1.333, 0.4, 0.05);
	assert_true(corrected(&g) < 1.02);
	/* No plan is corrected upward. */
	g = (struct cof_promise_calibration){ 0 };
	learn(&g, COF_PLAN_PROFILE, 1.333, 1.3, 0.5);
	assert_true(cof_promise_calibration_ratio(&g, COF_PLAN_PROFILE) == 1);
}

static void what_is_measured_inexactly_says_little(void **state)
{
	struct cof_promise_calibration exact = { 0 }, vague = { 0 };

	(void)state;
	learn(&exact, COF_PLAN_SPEED, 1.5, 1, 0.01);
	learn(&vague, COF_PLAN_SPEED, 1.5, 1, 1);
	assert_true(ratio(&vague) > 0.95);
	assert_true(ratio(&exact) < ratio(&vague));
}

static void the_latest_trials_count_for_most(void **state)
{
	struct cof_promise_calibration g = { 0 };

	(void)state;
	for (int i = 0; i < 20; i++)
		learn(&g, COF_PLAN_SPEED, 1, 2, 0.1);
	assert_true(ratio(&g) > 1.5);
	for (int i = 0; i < 20; i++)
		learn(&g, COF_PLAN_SPEED, 1, 0.5, 0.1);
	assert_true(ratio(&g) < 0.85);
}

static void invalid_numbers_teach_nothing(void **state)
{
	struct cof_promise_calibration g = { 0 };

	(void)state;
	learn(&g, COF_PLAN_SPEED, 0, 1, 0.1);
	learn(&g, COF_PLAN_SPEED, 1, 0, 0.1);
	learn(&g, COF_PLAN_SPEED, 1, 1, INFINITY);
	learn(&g, COF_PLAN_SPEED, 1, 2, NAN);
	assert_true(ratio(&g) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(promises_are_believed_at_first),
		cmocka_unit_test(what_is_measured_again_and_again_is_learned),
		cmocka_unit_test(one_trial_alone_does_not_convince),
		cmocka_unit_test(
			the_first_bad_trial_does_not_end_a_plan),
		cmocka_unit_test(what_is_measured_inexactly_says_little),
		cmocka_unit_test(the_latest_trials_count_for_most),
		cmocka_unit_test(invalid_numbers_teach_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
