/*
 * test_expected_gain.c - the expected gain of a version before its trial ends
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/expected_gain.h"

static int32_t gain(double speedup, double error)
{
	struct cof_measure m = { .log_time = -log(speedup), .error = error,
				 .known = true };

	return cof_expected_gain_permille(&m);
}

static void a_promise_is_believed_less_what_methods_differ_by(void **state)
{
	(void)state;
	assert_float_equal(cof_expected_gain_promise(2.4), 1.965, .001);
	assert_float_equal(cof_expected_gain_promise(1.2), 1, 0);
	assert_float_equal(cof_expected_gain_promise(0), 1, 0);
}

static void without_a_measurement_nothing_is_known(void **state)
{
	const struct cof_measure none = { .log_time = -5 };

	(void)state;
	assert_int_equal(cof_expected_gain_permille(&none), 0);
	assert_float_equal(cof_expected_gain_weight(&none), 0, 0);
}

static void a_measurement_counts_by_its_error(void **state)
{
	int32_t before = 0;

	(void)state;
	for (double error = 1; error > 1e-4; error /= 2) {
		int32_t now = gain(1.5, error);

		assert_true(now > before || now == 500);
		before = now;
	}
	assert_int_equal(before, 500);
	assert_int_equal(gain(1.3, 1e-6), 300);
	/* The error is the prior's: half of the logarithm. */
	assert_int_equal(gain(1.21, .2), 100);
	assert_float_equal(cof_expected_gain_weight(&(struct cof_measure){
		.error = .2, .known = true }), .5, 1e-9);
}

static void what_is_slower_is_a_loss(void **state)
{
	(void)state;
	assert_int_equal(gain(.8, 1e-6), -200);
	assert_true(gain(1e-9, 1e-6) > -1001);
}

static void a_huge_ratio_is_cut(void **state)
{
	(void)state;
	assert_int_equal(gain(1e30, 1e-6), 100000000);
}

static bool likely(double speedup, double error)
{
	struct cof_measure m = { .log_time = -log(speedup), .error = error,
				 .known = true };

	return cof_expected_gain_likely(
		cof_expected_gain_permille(&m),
		(uint32_t)(cof_expected_gain_weight(&m) * 1000));
}

static void a_gain_of_more_than_the_error_is_likely(void **state)
{
	(void)state;
	assert_true(likely(1.1, .08));
	assert_false(likely(1.1, .11));
	assert_true(likely(3, .9));
	assert_false(likely(3, 1.2));
	assert_true(likely(1.01, 1e-6));
	assert_false(likely(.9, .01));
	assert_false(likely(.9, .3));
	assert_false(cof_expected_gain_likely(0, 1000));
	assert_false(cof_expected_gain_likely(500, 0));
	assert_false(cof_expected_gain_likely(COF_EXPECTED_GAIN_NONE, 500));
	assert_false(cof_expected_gain_likely(500, UINT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_promise_is_believed_less_what_methods_differ_by),
		cmocka_unit_test(without_a_measurement_nothing_is_known),
		cmocka_unit_test(a_measurement_counts_by_its_error),
		cmocka_unit_test(what_is_slower_is_a_loss),
		cmocka_unit_test(a_huge_ratio_is_cut),
		cmocka_unit_test(
			a_gain_of_more_than_the_error_is_likely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
