/*
 * test_thought.c - what is believed of a version before its trial has ended
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/thought.h"

static int32_t thought(double promised, double speedup, double error)
{
	struct cof_measure m = { .log_time = -log(speedup), .error = error,
				 .known = true };

	return cof_thought_permille(promised, &m);
}

static void without_a_measurement_half_of_the_promise_is_believed(void **state)
{
	const struct cof_measure none = { .log_time = -5 };

	(void)state;
	assert_int_equal(cof_thought_permille(2.4, &none), 700);
	assert_int_equal(cof_thought_permille(1, &none), 0);
	assert_int_equal(cof_thought_permille(0, &none), 0);
}

static void a_measurement_counts_by_its_error(void **state)
{
	int32_t before = 700;

	(void)state;
	for (double error = 1; error > 1e-4; error /= 2) {
		int32_t now = thought(2.4, 1, error);

		assert_true(now < before || now == 0);
		before = now;
	}
	assert_int_equal(before, 0);
	assert_int_equal(thought(2.4, 1.3, 1e-6), 300);
	/* As sure as the promise: halfway between the logarithms. */
	assert_int_equal(thought(2.42, 1, .2), 308);
}

static void what_is_slower_is_a_loss(void **state)
{
	(void)state;
	assert_int_equal(thought(1.5, .8, 1e-6), -200);
	assert_true(thought(1.5, 1e-9, 1e-6) > -1001);
}

static void a_ratio_out_of_all_bounds_is_cut(void **state)
{
	(void)state;
	assert_int_equal(thought(1.5, 1e30, 1e-6), 100000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			without_a_measurement_half_of_the_promise_is_believed),
		cmocka_unit_test(a_measurement_counts_by_its_error),
		cmocka_unit_test(what_is_slower_is_a_loss),
		cmocka_unit_test(a_ratio_out_of_all_bounds_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
