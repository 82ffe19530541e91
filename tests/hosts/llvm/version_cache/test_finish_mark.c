/*
 * test_finish_mark.c - which runs start a process that finishes what they left
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/cache_dir.h"
#include "version_cache/finish_mark.h"

static void runs_that_come_further_start_one_each(void **state)
{
	struct cofl_finish_mark mark = { 0 };

	(void)state;
	assert_false(cofl_finish_mark_next(&mark, 0));
	for (uint32_t left = 100; left > 0; left--)
		assert_true(cofl_finish_mark_next(&mark, left));
	assert_false(cofl_finish_mark_next(&mark, 0));
}

/* How many of `runs` start one, if each leaves `left`? */
static uint32_t started(struct cofl_finish_mark *mark, uint32_t left,
			uint32_t runs)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < runs; i++)
		n += cofl_finish_mark_next(mark, left);
	return n;
}

static void what_cannot_be_built_is_tried_ever_more_rarely(void **state)
{
	struct cofl_finish_mark mark = { 0 };

	(void)state;
	assert_int_equal(started(&mark, 5, 3), 3);
	/* Then the 4th, 6th, 10th, 18th, 34th, 66th, and each 64th. */
	assert_int_equal(started(&mark, 5, 63), 6);
	assert_int_equal(started(&mark, 5, 640), 10);
	/* Until something comes of it. */
	assert_true(cofl_finish_mark_next(&mark, 4));
	assert_true(cofl_finish_mark_next(&mark, 4));
}

static void a_run_sees_that_one_is_being_finished(void **state)
{
	static const uint8_t key[COF_HASH_BYTES] = { 0xf1 };
	char dir[] = "/tmp/finish.XXXXXX", command[64];
	int lock;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(setenv("XDG_CACHE_HOME", dir, 1), 0);
	cofl_cache_dir_begin();
	assert_false(cofl_finish_mark_is_held(key));
	lock = cofl_finish_mark_lock(key);
	assert_true(lock >= 0);
	assert_true(cofl_finish_mark_is_held(key));
	assert_int_equal(cofl_finish_mark_lock(key), -1);
	close(lock);
	assert_false(cofl_finish_mark_is_held(key));
	/* A run that looks whether one is due is none. */
	assert_true(cofl_finish_mark_due(key, 3));
	assert_false(cofl_finish_mark_is_held(key));
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_that_come_further_start_one_each),
		cmocka_unit_test(
			what_cannot_be_built_is_tried_ever_more_rarely),
		cmocka_unit_test(a_run_sees_that_one_is_being_finished),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
