/*
 * test_make_dirs.c - folders are made, whoever else makes them
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool other_is_first;

/* Another process makes it, just before this one does. */
static int make(const char *path, mode_t mode)
{
	if (other_is_first)
		assert_int_equal(mkdir(path, mode), 0);
	return mkdir(path, mode);
}

#define mkdir make
#include "base/make_dirs.h"
#undef mkdir

static char folder[32];

static int setup(void **state)
{
	(void)state;
	other_is_first = false;
	strcpy(folder, "/tmp/make_dirs.XXXXXX");
	return mkdtemp(folder) == NULL;
}

static int teardown(void **state)
{
	static const char *const made[] = { "/a/b/c", "/a/b", "/a", "" };
	char path[64];

	(void)state;
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", folder, made[i]);
		chmod(path, 0700);
		rmdir(path);
	}
	return 0;
}

static bool is_made(void)
{
	char path[64], deepest[64];
	struct stat st;

	snprintf(path, sizeof(path), "%s/a/b/c", folder);
	strcpy(deepest, path);
	cof_make_dirs(path);
	assert_string_equal(path, deepest);
	return stat(deepest, &st) == 0 && S_ISDIR(st.st_mode) &&
	       (st.st_mode & 07777) == 0700;
}

static void all_that_is_missing_is_made(void **state)
{
	(void)state;
	assert_true(is_made());
	assert_true(is_made());		/* and what is there is left */
}

static void so_it_is_while_another_process_makes_the_same(void **state)
{
	(void)state;
	other_is_first = true;
	assert_true(is_made());
}

static void what_is_in_the_way_stays(void **state)
{
	char path[64];
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/a", folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	assert_false(is_made());
	assert_int_equal(unlink(path), 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(all_that_is_missing_is_made),
		T(so_it_is_while_another_process_makes_the_same),
		T(what_is_in_the_way_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
