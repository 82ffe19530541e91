/*
 * test_range.c - code memory is ours, and what was written there runs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "cof.h"
#include "process.h"
#include "valgrind.h"

static void the_barrier_works_and_works_again(void **state)
{
	(void)state;
	if (cof_process_sync_core() != 0)
		skip();		/* a kernel without it */
	assert_int_equal(cof_process_sync_core(), 0);
}

static void code_is_written_here_and_runs_there(void **state)
{
	static const unsigned char ret7[] = { 0xb8, 7, 0, 0, 0, 0xc3 };
	struct cof_range r;
	int (*fn)(void);

	(void)state;
	assert_int_equal(cof_range_map(&r, 1 << 20, 1 << 16, NULL), 0);
	memcpy(r.write + 4096, ret7, sizeof(ret7));
	fn = (int (*)(void))(uintptr_t)(r.exec + 4096);
	assert_int_equal(fn(), 7);
	assert_true(r.data >= r.exec && r.data - r.exec < 1l << 31);
	r.data[r.data_bytes - 1] = 1;
	cof_range_forget(&r, 4096, 4096);
	assert_int_equal(r.exec[4096], 0);
	cof_range_unmap(&r);
	assert_null(r.exec);
}

static void no_page_is_writable_and_executable(void **state)
{
	struct cof_range r;
	char line[512], perms[8];
	unsigned long lo, hi;
	int parts = 0;
	FILE *maps;

	(void)state;
	assert_int_equal(cof_range_map(&r, 1 << 20, 1 << 16, NULL), 0);
	maps = fopen("/proc/self/maps", "r");
	if (!maps)
		skip();
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s", &lo, &hi, perms) != 3)
			continue;
		if (lo == (uintptr_t)r.exec)
			parts += strcmp(perms, "r-xs") == 0;
		if (lo == (uintptr_t)r.write)
			parts += strcmp(perms, "rw-s") == 0;
	}
	fclose(maps);
	assert_int_equal(parts, 2);
	cof_range_unmap(&r);
}

static void a_range_no_rel32_can_span_is_refused(void **state)
{
	struct cof_range r;

	(void)state;
	assert_int_equal(cof_range_map(&r, (size_t)3 << 30, 0, NULL), -COF_E_NOMEM);
	assert_int_equal(cof_range_map(&r, (size_t)1 << 30, (size_t)1 << 30,
				       NULL),
			 -COF_E_NOMEM);
	assert_int_equal(cof_range_map(&r, 0, 0, NULL), -COF_E_NOMEM);
}

static void without_files_a_range_is_refused_and_leaves_nothing(void **state)
{
	struct rlimit all, few;
	struct cof_range r;
	int err;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = all;
	few.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	err = cof_range_map(&r, 1 << 20, 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
	assert_int_equal(err, -COF_E_NOMEM);
}

static void where_files_must_be_small_there_is_code_memory_too(void **state)
{
	struct rlimit all, small;

	(void)state;
	skip_under_valgrind();		/* mremap */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	small = all;
	small.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	code_is_written_here_and_runs_there(NULL);
	no_page_is_writable_and_executable(NULL);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_barrier_works_and_works_again),
		T(code_is_written_here_and_runs_there),
		T(no_page_is_writable_and_executable),
		T(a_range_no_rel32_can_span_is_refused),
		T(without_files_a_range_is_refused_and_leaves_nothing),
		T(where_files_must_be_small_there_is_code_memory_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
