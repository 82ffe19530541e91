/*
 * test_unit_select.c - units: one phase, hottest first, in limits, not too
 * early
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "optimizer/build/unit_select.h"

#define N 8

static struct cof_candidate all[N];
static struct cof_unit_limits limits;
static int key[N];

/* Full since generation 10, of phase 2, in falling heat, 10 ns each. */
static int setup(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++)
		all[i] = (struct cof_candidate){
			.key = &key[i], .phase = 2, .since = 10,
			.heat = 100 - i, .expected_ns = 10,
		};
	limits = (struct cof_unit_limits){ .methods = 32, .ns = 1000,
					    .wait = 3 };
	return 0;
}

static uint32_t take(uint32_t n, uint32_t coming, uint64_t generation)
{
	return cof_unit_select(all, n, coming, 2, generation, &limits);
}

static void nothing_makes_no_unit(void **state)
{
	(void)state;
	assert_int_equal(take(0, 0, 20), 0);
}

static void all_of_one_phase_make_one_unit_the_hottest_first(void **state)
{
	(void)state;
	all[5].heat = 1000;
	assert_int_equal(take(N, 0, 20), N);
	assert_ptr_equal(all[0].key, &key[5]);
	assert_ptr_equal(all[1].key, &key[0]);
	assert_ptr_equal(all[N - 1].key, &key[7]);
}

static void they_wait_for_those_to_come_but_not_for_ever(void **state)
{
	(void)state;
	assert_int_equal(take(3, 1, 10), 0);
	assert_int_equal(take(3, 1, 12), 0);
	assert_int_equal(take(3, 1, 13), 3);
}

static void with_nobody_to_come_one_generation_is_enough(void **state)
{
	(void)state;
	assert_int_equal(take(3, 0, 10), 0);
	assert_int_equal(take(3, 0, 11), 3);
}

static void the_first_one_full_counts(void **state)
{
	(void)state;
	all[0].since = all[1].since = 13;
	assert_int_equal(take(3, 1, 13), 3);
}

static void a_full_unit_waits_for_nobody(void **state)
{
	(void)state;
	limits.methods = 4;
	assert_int_equal(take(5, 7, 10), 4);
}

static void a_phase_that_is_over_waits_for_nobody(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		all[i].phase = 1;
	assert_int_equal(take(N, 5, 10), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(all[i].phase, 1);
}

static void without_units_each_goes_alone_at_once(void **state)
{
	(void)state;
	limits.methods = 1;
	assert_int_equal(take(N, 5, 10), 1);
	assert_ptr_equal(all[0].key, &key[0]);
}

static void the_cost_limits_a_unit_and_cheaper_ones_still_fit(void **state)
{
	(void)state;
	limits.ns = 35;
	all[1].expected_ns = 30;	/* with the first, too much */
	assert_int_equal(take(5, 0, 20), 3);
	assert_ptr_equal(all[0].key, &key[0]);
	assert_ptr_equal(all[1].key, &key[2]);
	assert_ptr_equal(all[2].key, &key[3]);
}

static void one_that_costs_more_than_the_limit_goes_alone(void **state)
{
	(void)state;
	all[0].expected_ns = 5000;
	all[0].heat = 1e6;
	assert_int_equal(take(N, 0, 20), 1);
	assert_ptr_equal(all[0].key, &key[0]);
}

static void it_goes_after_those_that_bring_more_for_their_cost(void **state)
{
	(void)state;
	all[0].expected_ns = 5000;
	assert_int_equal(take(N, 0, 20), N - 1);
	for (int i = 0; i < N - 1; i++)
		assert_ptr_not_equal(all[i].key, &key[0]);
	assert_ptr_equal(all[N - 1].key, &key[0]);
	assert_int_equal(cof_unit_select(&all[N - 1], 1, 0, 2, 20, &limits), 1);
}

static void beyond_the_limit_the_best_for_its_cost_is_first(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++)
		all[i].expected_ns = 5000;
	all[3].expected_ns = 2000;
	assert_int_equal(take(N, 0, 20), 1);
	assert_ptr_equal(all[0].key, &key[3]);
}

static void what_is_left_is_all_there(void **state)
{
	uint32_t n = N, took;
	int seen = 0;

	(void)state;
	limits.methods = 3;
	while (n > 0) {
		took = take(n, 0, 20);
		assert_true(took > 0);
		for (uint32_t i = 0; i < took; i++)
			seen |= 1 << ((int *)all[i].key - key);
		n -= took;
		memmove(all, all + took, n * sizeof(*all));
	}
	assert_int_equal(seen, (1 << N) - 1);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(nothing_makes_no_unit),
		T(all_of_one_phase_make_one_unit_the_hottest_first),
		T(they_wait_for_those_to_come_but_not_for_ever),
		T(with_nobody_to_come_one_generation_is_enough),
		T(the_first_one_full_counts),
		T(a_full_unit_waits_for_nobody),
		T(a_phase_that_is_over_waits_for_nobody),
		T(without_units_each_goes_alone_at_once),
		T(the_cost_limits_a_unit_and_cheaper_ones_still_fit),
		T(one_that_costs_more_than_the_limit_goes_alone),
		T(it_goes_after_those_that_bring_more_for_their_cost),
		T(beyond_the_limit_the_best_for_its_cost_is_first),
		T(what_is_left_is_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
