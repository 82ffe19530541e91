/*
 * test_loop_verdict.c - what of a trial of loops is believed
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "code/method.h"
#include "optimizer/osr/loop_verdict.h"

static struct cof_measure measured(double speed, double error)
{
	return (struct cof_measure){ .known = true, .log_time = -log(speed),
				     .error = error };
}

static void what_was_found_is_believed(void **state)
{
	struct cof_measure m = measured(1.35, 0.02);

	(void)state;
	assert_true(fabs(cof_loop_verdict_speed(true, true, &m) - 1.35) < 1e-9);
	/* What has no profile is kept. */
	assert_true(cof_loop_verdict_speed(true, false, &m) == 1);
}

static void of_what_stays_unclear_less_is_believed(void **state)
{
	struct cof_measure m = measured(1.35, 0.2), none = { 0 };
	double speed = cof_loop_verdict_speed(false, true, &m);

	(void)state;
	assert_true(speed > 1 && speed < 1.3);
	m = measured(0.9, 0.2);
	assert_true(cof_loop_verdict_speed(false, true, &m) == 1);
	assert_true(cof_loop_verdict_speed(false, true, &none) == 1);
}

static void a_later_trial_does_not_take_a_finding_back(void **state)
{
	static struct cof_method method;
	struct cof_measure m = measured(1.35, 0.2);

	(void)state;
	cof_loop_verdict_so_far(&method, &m);
	assert_int_equal(method.trial.loops_state, COF_AUDIT_OPEN);
	cof_method_loops_tried(&method, COF_AUDIT_KEPT, 1.5);
	cof_loop_verdict_so_far(&method, &m);
	assert_int_equal(method.trial.loops_state, COF_AUDIT_KEPT);
	assert_int_equal(method.trial.loops_permille, 1500);
}

static void its_state_says_how_it_ended(void **state)
{
	(void)state;
	assert_int_equal(cof_loop_verdict_state(false, false, true),
			 COF_AUDIT_NONE);
	assert_int_equal(cof_loop_verdict_state(true, false, true),
			 COF_AUDIT_OPEN);
	assert_int_equal(cof_loop_verdict_state(true, true, true),
			 COF_AUDIT_KEPT);
	assert_int_equal(cof_loop_verdict_state(true, true, false),
			 COF_AUDIT_BACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_found_is_believed),
		cmocka_unit_test(of_what_stays_unclear_less_is_believed),
		cmocka_unit_test(a_later_trial_does_not_take_a_finding_back),
		cmocka_unit_test(its_state_says_how_it_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
