/*
 * test_cache_dir.c - which folder the environment names, and when
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/cache_dir.h"

static const uint8_t key[COF_HASH_BYTES] = { 0xab };
static char path[COFL_CACHE_DIR_PATH];

static void begin(const char *cache, const char *home)
{
	assert_int_equal(cache ? setenv("XDG_CACHE_HOME", cache, 1) :
				 unsetenv("XDG_CACHE_HOME"), 0);
	assert_int_equal(home ? setenv("HOME", home, 1) : unsetenv("HOME"), 0);
	cofl_cache_dir_begin();
}

static void expect(const char *dir)
{
	assert_true(cofl_cache_dir_path(key, ".ver", path));
	assert_memory_equal(path, dir, strlen(dir));
	assert_memory_equal(path + strlen(dir), "/ab00", 5);
	assert_string_equal(path + strlen(path) - 4, ".ver");
}

static void xdg_comes_before_home(void **state)
{
	(void)state;
	begin("/cache", "/home");
	expect("/cache/cof");
	begin(NULL, "/home");
	expect("/home/.cache/cof");
	begin("", "/home");
	expect("/home/.cache/cof");
}

static void a_path_that_is_relative_is_none(void **state)
{
	(void)state;
	begin("here", "/home");
	expect("/home/.cache/cof");
	begin("here", "there");
	assert_false(cofl_cache_dir_path(key, ".ver", path));
	assert_int_equal(cofl_cache_dir_open(true), -1);
	begin(NULL, NULL);
	assert_false(cofl_cache_dir_path(key, ".ver", path));
}

static void one_that_is_too_long_is_none(void **state)
{
	static char longest[4200];

	(void)state;
	memset(longest, 'a', sizeof(longest) - 1);
	longest[0] = '/';
	begin(longest, NULL);
	assert_false(cofl_cache_dir_path(key, ".ver", path));
}

static void the_environment_later_does_not_matter(void **state)
{
	(void)state;
	begin("/cache", NULL);
	assert_int_equal(clearenv(), 0);
	expect("/cache/cof");
	assert_int_equal(setenv("XDG_CACHE_HOME", "/other", 1), 0);
	expect("/cache/cof");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xdg_comes_before_home),
		cmocka_unit_test(a_path_that_is_relative_is_none),
		cmocka_unit_test(one_that_is_too_long_is_none),
		cmocka_unit_test(the_environment_later_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
