/*
 * test_profile_units.c - methods that are hot together are built together
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define TOY_RUN_STEPPED
#include "profiling.h"

static void methods_hot_together_are_built_together(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	count_all(5);
	fill_all(5);
	WAIT(flow()->built == 5);
	for (int i = 0; i < 5; i++) {
		WAIT(plan(i) == COF_PLAN_PROFILE);
		assert_int_equal(counter[i].in_unit + counter[i].built, 1);
	}
	assert_true(counter_units >= 1);
	assert_int_equal(flow()->units, counter_units);
	finish();
}

static void one_that_the_group_declines_does_not_harm_the_others(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	counter[2].no_group = counter[2].no_build = true;
	counter[1].no_collect = true;
	count_all(5);
	fill_all(5);
	WAIT(flow()->built == 3);
	WAIT(flow()->drop_DECLINED == 1);
	WAIT(flow()->drop_NO_PROFILE == 1);
	assert_int_equal(plan(2), COF_PLAN_NONE);
	assert_int_equal(plan(1), COF_PLAN_NONE);
	finish();
}

static void a_group_that_is_declined_is_built_one_by_one(void **state)
{
	(void)state;
	begin("mode=full," BY_HAND);
	counter_no_units = true;
	count_all(4);
	fill_all(4);
	WAIT(flow()->built == 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(counter[i].built, 1);
	assert_int_equal(flow()->units, 0);
	finish();
}

static void without_groups_each_is_built_alone(void **state)
{
	(void)state;
	host.build_unit = NULL;
	begin("mode=full," BY_HAND);
	count_all(4);
	fill_all(4);
	WAIT(flow()->built == 4);
	finish();

	setup(NULL);
	begin("mode=full,unit_methods=1," BY_HAND);
	count_all(4);
	fill_all(4);
	WAIT(flow()->built == 4);
	assert_int_equal(counter_units, 0);
	finish();
}

static int long_for_b(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		      struct cof_estimate *out)
{
	(void)ctx;
	if (plan <= now)
		return 1;
	out->speedup = 1 + 0.5 * plan;
	out->cost_ns = ((struct toy_method *)m)->name[0] == 'b' ?
		       UINT64_C(100000000000) : 1000;
	return 0;
}

static void a_long_build_is_not_what_the_others_wait_for(void **state)
{
	(void)state;
	host.estimate = long_for_b;
	begin("mode=full,workers=1," BY_HAND);
	for (int i = 0; i < 4; i++)
		forecast(i, 100000000);
	WAIT(flow()->counting == 4);
	counter[0].counted = counter[2].counted = counter[3].counted = 1000;
	WAIT(flow()->built == 3);
	counter[1].counted = 1000;
	WAIT(flow()->built == 4);
	assert_int_equal(counter[1].in_unit, 0);
	assert_int_equal(counter[1].built, 1);
	finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(methods_hot_together_are_built_together),
		T(one_that_the_group_declines_does_not_harm_the_others),
		T(a_group_that_is_declined_is_built_one_by_one),
		T(without_groups_each_is_built_alone),
		T(a_long_build_is_not_what_the_others_wait_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
