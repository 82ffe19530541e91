/*
 * test_fullness.c - when a method is full, and when it may count again
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "optimizer/instrumented/profile.h"
#include "options/opts.h"

static struct cof_profiles all;
static struct cof_method method;
static struct cof_opts opts;

static int setup(void **state)
{
	(void)state;
	memset(&all, 0, sizeof(all));
	memset(&method, 0, sizeof(method));
	cof_opts_init(&opts);
	opts.profile_counts = 1000;
	opts.profile_generations = 10;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_profiles_free(&all);
	return method.profile == NULL ? 0 : -1;
}

static struct cof_profile *counting(uint64_t since)
{
	struct cof_profile *p = cof_profiles_of(&all, &method);

	assert_non_null(p);
	cof_profile_picked(p, 0);
	cof_profile_enter(&all, p, COF_PROFILE_STARTING, since);
	cof_profile_enter(&all, p, COF_PROFILE_COUNTING, since);
	return p;
}

static enum cof_fullness after(const struct cof_profile *p, uint64_t counted,
			       uint64_t generation)
{
	return cof_profile_fullness(p, counted, generation, false, &opts);
}

static void a_method_has_one_profile(void **state)
{
	struct cof_profile *p = cof_profiles_of(&all, &method);

	(void)state;
	assert_non_null(p);
	assert_ptr_equal(cof_profiles_of(&all, &method), p);
	assert_ptr_equal(method.profile, p);
	assert_ptr_equal(p->method, &method);
	assert_int_equal(p->state, COF_PROFILE_NO);
}

static void those_in_a_state_are_counted(void **state)
{
	struct cof_profile *p = counting(3);

	(void)state;
	assert_int_equal(all.counting, 1);
	assert_int_equal(all.full, 0);
	cof_profile_enter(&all, p, COF_PROFILE_FULL, 5);
	assert_int_equal(all.counting, 0);
	assert_int_equal(all.full, 1);
	assert_int_equal(p->since, 5);
	cof_profile_enter(&all, p, COF_PROFILE_BUILDING, 6);
	assert_int_equal(all.full, 0);
}

static void enough_counts_make_it_full_after_a_whole_generation(void **state)
{
	struct cof_profile *p = counting(7);

	(void)state;
	assert_int_equal(after(p, 5000, 7), COF_FULLNESS_NOT_YET);
	assert_int_equal(after(p, 5000, 8), COF_FULLNESS_NOT_YET);
	assert_int_equal(after(p, 999, 9), COF_FULLNESS_NOT_YET);
	assert_int_equal(after(p, 1000, 9), COF_FULLNESS_FULL);
}

static void where_counting_is_dear_enough_counts_are(void **state)
{
	struct cof_profile *p = counting(7);

	(void)state;
	assert_int_equal(cof_profile_fullness(p, 999, 7, true, &opts),
			 COF_FULLNESS_NOT_YET);
	assert_int_equal(cof_profile_fullness(p, 1000, 7, true, &opts),
			 COF_FULLNESS_FULL);
	assert_true(cof_profiles_cost(&all));
	p->cheap = true;
	assert_false(cof_profiles_cost(&all));
	cof_profile_enter(&all, p, COF_PROFILE_COUNTING, 9);
	assert_true(cof_profiles_cost(&all));
}

static void in_the_end_few_counts_are_enough(void **state)
{
	struct cof_profile *p = counting(7);

	(void)state;
	assert_int_equal(after(p, 1, 16), COF_FULLNESS_NOT_YET);
	assert_int_equal(after(p, 1, 17), COF_FULLNESS_FULL);
}

static void in_the_end_no_counts_are_not(void **state)
{
	struct cof_profile *p = counting(7);

	(void)state;
	assert_int_equal(after(p, 0, 16), COF_FULLNESS_NOT_YET);
	assert_int_equal(after(p, 0, 17), COF_FULLNESS_EMPTY);
}

static void a_clock_that_stands_still_is_no_end(void **state)
{
	struct cof_profile *p = counting(7);

	(void)state;
	assert_int_equal(after(p, 0, 6), COF_FULLNESS_NOT_YET);
	assert_int_equal(after(p, 0, 7), COF_FULLNESS_NOT_YET);
}

static void who_never_counted_may(void **state)
{
	struct cof_profile *p;

	(void)state;
	assert_true(cof_profile_allowed(NULL, 0));
	p = cof_profiles_of(&all, &method);
	assert_non_null(p);
	assert_true(cof_profile_allowed(p, 0));
}

static void who_is_under_way_may_not(void **state)
{
	struct cof_profile *p = counting(0);

	(void)state;
	assert_false(cof_profile_allowed(p, 100));
	cof_profile_enter(&all, p, COF_PROFILE_FULL, 0);
	assert_false(cof_profile_allowed(p, 100));
	cof_profile_enter(&all, p, COF_PROFILE_BUILDING, 0);
	assert_false(cof_profile_allowed(p, 100));
	cof_profile_enter(&all, p, COF_PROFILE_HAS, 0);
	assert_true(cof_profile_allowed(p, 100));
}

static void each_time_takes_twice_as_many_phases(void **state)
{
	struct cof_profile *p = cof_profiles_of(&all, &method);
	uint64_t phase = 5;

	(void)state;
	assert_non_null(p);
	for (uint64_t wait = 1; wait <= 1024; wait *= 2) {
		assert_true(cof_profile_allowed(p, phase));
		cof_profile_picked(p, phase);
		assert_false(cof_profile_allowed(p, phase));
		assert_false(cof_profile_allowed(p, phase + wait - 1));
		phase += wait;
	}
}

static void the_wait_does_not_overflow(void **state)
{
	struct cof_profile *p = cof_profiles_of(&all, &method);

	(void)state;
	assert_non_null(p);
	for (int i = 0; i < 200; i++)
		cof_profile_picked(p, 9);
	assert_false(cof_profile_allowed(p, 9));
	assert_true(cof_profile_allowed(p, 9 + (1 << 16)));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_method_has_one_profile),
		T(those_in_a_state_are_counted),
		T(enough_counts_make_it_full_after_a_whole_generation),
		T(where_counting_is_dear_enough_counts_are),
		T(in_the_end_few_counts_are_enough),
		T(in_the_end_no_counts_are_not),
		T(a_clock_that_stands_still_is_no_end),
		T(who_never_counted_may),
		T(who_is_under_way_may_not),
		T(each_time_takes_twice_as_many_phases),
		T(the_wait_does_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
