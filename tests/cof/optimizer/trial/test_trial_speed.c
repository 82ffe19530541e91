/*
 * test_trial_speed.c - one trial builds on the others
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "audited.h"

/* Of method 0: twice as fast, then taken back, then twice as fast again. */
static void speeds_are_those_of_all_trials(void **state)
{
	const struct cof_version *b[METHODS] = { 0 };
	struct cof_version *v;
	double once;

	(void)state;
	cost[0] = 0.5;
	b[0] = v = build(0, 1, speed);
	assert_true(cof_trial_speed(&v->trial) == 1);
	until_the_end(b);
	once = cof_trial_speed(&v->trial);
	assert_in_range(once * 1000, 1600, 2500);
	cost[0] = 2;
	b[0] = build(0, 2, profiled);
	assert_int_equal(method[0]->trial.before_permille,
			 v->trial.speed_permille);
	until_the_end(b);
	assert_ptr_equal(current(0), v);
	assert_int_equal(v->trial.state, COF_AUDIT_BACK);
	assert_true(cof_trial_speed(&v->trial) == once);
	cost[0] = 0.5;
	b[0] = v = build(0, 3, profiled);
	until_the_end(b);
	assert_ptr_equal(current(0), v);
	assert_true(cof_trial_speed_before(&v->trial) == once);
	assert_in_range(cof_trial_speed(&v->trial) * 1000, 1600 * once,
			2500 * once);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(speeds_are_those_of_all_trials,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
