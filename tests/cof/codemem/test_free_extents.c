/*
 * test_free_extents.c - extents are merged, the best one is taken, none is lost
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "codemem/free_extents.h"

#define GRANULES 4096

static uint32_t                tag[GRANULES + 1];
static struct cof_free_extents set;

static int setup(void **state)
{
	(void)state;
	memset(tag, 0, sizeof(tag));
	cof_free_extents_init(&set, tag);
	return cof_free_extents_reserve(&set, GRANULES);
}

static int teardown(void **state)
{
	(void)state;
	cof_free_extents_free(&set);
	return 0;
}

static void put(uint32_t at, uint32_t n, uint32_t lo, uint32_t hi)
{
	uint32_t got_lo, got_hi;

	cof_free_extents_put(&set, at, n, &got_lo, &got_hi);
	assert_int_equal(got_lo, lo);
	assert_int_equal(got_hi, hi);
}

static void neighbours_become_one_extent(void **state)
{
	(void)state;
	put(10, 5, 10, 15);
	put(20, 5, 20, 25);
	assert_int_equal(set.n, 2);
	put(15, 5, 10, 25);
	assert_int_equal(set.n, 1);
	put(9, 1, 9, 25);
	put(25, 1, 9, 26);
	assert_int_equal(cof_free_extents_take(&set, 17), 9);
	assert_int_equal(set.n, 0);
	for (int i = 0; i <= GRANULES; i++)
		assert_int_equal(tag[i], 0);
}

static void the_smallest_extent_that_fits_is_taken(void **state)
{
	(void)state;
	put(100, 300, 100, 400);
	put(500, 90, 500, 590);
	put(600, 85, 600, 685);
	put(700, 20, 700, 720);
	assert_int_equal(cof_free_extents_take(&set, 84), 600);
	assert_int_equal(cof_free_extents_take(&set, 20), 700);
	assert_int_equal(cof_free_extents_take(&set, 91), 100);
	assert_int_equal(cof_free_extents_take(&set, 90), 500);
	assert_int_equal(cof_free_extents_take(&set, 1), 684);
	assert_int_equal(cof_free_extents_take(&set, 210),
			 COF_FREE_EXTENT_NONE);
	assert_int_equal(cof_free_extents_take(&set, 209), 191);
	assert_int_equal(cof_free_extents_take(&set, 1), COF_FREE_EXTENT_NONE);
}

static void an_extent_can_be_forgotten(void **state)
{
	(void)state;
	put(10, 5, 10, 15);
	put(16, 5, 16, 21);
	cof_free_extents_remove(&set, 10);
	assert_int_equal(set.n, 1);
	put(15, 1, 15, 21);
}

/* Compared with a plain map of the free granules. */
static void any_order_of_taking_and_putting_keeps_the_map(void **state)
{
	static struct { uint32_t at, n; } block[GRANULES];
	static bool is_free[GRANULES];
	uint32_t blocks = 0, left = GRANULES;

	(void)state;
	srand(1);
	put(0, GRANULES, 0, GRANULES);
	memset(is_free, true, sizeof(is_free));
	for (int turn = 0; turn < 20000; turn++) {
		if (rand() % 5 < 3) {
			uint32_t n = 1 + (uint32_t)(rand() % 150);
			uint32_t at = cof_free_extents_take(&set, n);

			if (at == COF_FREE_EXTENT_NONE)
				continue;
			for (uint32_t i = at; i < at + n; i++) {
				assert_true(is_free[i]);
				is_free[i] = false;
			}
			block[blocks].at = at;
			block[blocks++].n = n;
			left -= n;
		} else if (blocks > 0) {
			uint32_t b = (uint32_t)rand() % blocks, lo, hi;
			uint32_t at = block[b].at, n = block[b].n;

			cof_free_extents_put(&set, at, n, &lo, &hi);
			for (uint32_t i = at; i < at + n; i++)
				is_free[i] = true;
			for (uint32_t i = lo; i < hi; i++)
				assert_true(is_free[i]);
			assert_true(lo == 0 || !is_free[lo - 1]);
			assert_true(hi == GRANULES || !is_free[hi]);
			left += n;
			block[b] = block[--blocks];
		}
		assert_true(set.n <= blocks + 1);
	}
	for (uint32_t i = 0; i < GRANULES; i++)
		left -= is_free[i];
	assert_int_equal(left, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(neighbours_become_one_extent),
		T(the_smallest_extent_that_fits_is_taken),
		T(an_extent_can_be_forgotten),
		T(any_order_of_taking_and_putting_keeps_the_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
