/*
 * test_mem_reserve.c - arrays that grow
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory/mem.h"

static uint32_t *array, room;

static bool reserve(uint32_t n)
{
	return cof_mem_reserve(&array, &room, n, sizeof(*array));
}

static int teardown(void **state)
{
	(void)state;
	cof_mem_free(array);
	array = NULL;
	room = 0;
	return 0;
}

static void elements_stay_and_new_ones_are_zero(void **state)
{
	uint32_t moves = 0;

	(void)state;
	for (uint32_t n = 0; n < 1000; n++) {
		uint32_t before = room;

		assert_true(reserve(n + 1));
		moves += room != before;
		assert_true(room > n);
		assert_int_equal(array[n], 0);
		array[n] = n + 1;
	}
	for (uint32_t n = 0; n < 1000; n++)
		assert_int_equal(array[n], n + 1);
	assert_int_equal(moves, 11);
}

static void many_at_once_take_no_more_than_they_need(void **state)
{
	(void)state;
	assert_true(reserve(0));
	assert_null(array);
	assert_true(reserve(100));
	assert_int_equal(room, 100);
	assert_true(reserve(100));
	assert_true(reserve(1));
	assert_int_equal(room, 100);
	assert_true(reserve(500));
	assert_int_equal(room, 500);
}

static void without_memory_nothing_changes(void **state)
{
	uint32_t *before;

	(void)state;
	assert_true(reserve(10));
	before = array;
	before[9] = 9;
	assert_false(cof_mem_reserve(&array, &room, UINT32_MAX,
				     SIZE_MAX / UINT32_MAX));
	assert_ptr_equal(array, before);
	assert_int_equal(room, 10);
	assert_int_equal(array[9], 9);
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(elements_stay_and_new_ones_are_zero),
		T(many_at_once_take_no_more_than_they_need),
		T(without_memory_nothing_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
