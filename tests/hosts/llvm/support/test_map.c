/*
 * test_map.c - a map from pointers to pointers, as it grows
 */
#include "support/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define KEYS 10000

static char key[KEYS];	/* only their addresses matter */

static void an_empty_map_has_nothing(void **state)
{
	struct cofl_map map = { 0 };

	(void)state;
	assert_null(cofl_map_get(&map, &key[0]));
	cofl_map_free(&map);
}

static void every_key_is_found_after_it_grew(void **state)
{
	struct cofl_map map = { 0 };

	(void)state;
	for (uintptr_t i = 0; i < KEYS; i++)
		cofl_map_put(&map, &key[i], (void *)(i + 1));
	for (uintptr_t i = 0; i < KEYS; i++)
		assert_ptr_equal(cofl_map_get(&map, &key[i]), (void *)(i + 1));
	assert_null(cofl_map_get(&map, &map));
	assert_int_equal(map.used, KEYS);
	cofl_map_free(&map);
	assert_null(cofl_map_get(&map, &key[0]));
}

static void a_second_value_replaces_the_first(void **state)
{
	struct cofl_map map = { 0 };

	(void)state;
	cofl_map_put(&map, &key[0], &key[1]);
	cofl_map_put(&map, &key[0], &key[2]);
	assert_ptr_equal(cofl_map_get(&map, &key[0]), &key[2]);
	assert_int_equal(map.used, 1);
	cofl_map_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_has_nothing),
		cmocka_unit_test(every_key_is_found_after_it_grew),
		cmocka_unit_test(a_second_value_replaces_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
