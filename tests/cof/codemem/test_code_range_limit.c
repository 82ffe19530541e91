/*
 * test_code_range_limit.c - what a code range leaves to the program's addresses
 * and to core files
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdbool.h>
#include <string.h>

#include "codemem/code_pages.h"
#include "codemem/code_range.h"
#include "tests/cof/process/raise.h"

#define GIB ((size_t)1 << 30)

/* As with an executable that was linked without PIE. */
static void low_addresses_are_left_to_a_program_that_lives_there(void **state)
{
	const void *near = (const void *)(uintptr_t)(4 << 20);
	size_t code = GIB / 2, data = GIB;
	struct cof_code_range r;

	(void)state;
	skip_under_tsan();	/* it rejects addresses */
	cof_code_range_limit(&code, &data, near, 4096);
	assert_int_equal(code + data, GIB / 8);
	assert_true(data / code == 2);
	assert_int_equal(cof_code_range_map(&r, code, data, near, 4096), 0);
	assert_true(cof_code_range_reaches(&r, near, 4096));
	assert_true((uintptr_t)r.exec >= 2 * GIB - 2 * (code + data));
	assert_true((uintptr_t)r.data + r.data_bytes <= 2 * GIB);
	cof_code_range_unmap(&r);

	/* What is less, or for another program, stays what it is. */
	cof_code_range_limit(&code, &data, near, 4096);
	assert_int_equal(code + data, GIB / 8);
	code = GIB / 2, data = GIB;
	cof_code_range_limit(&code, &data, (const void *)(8 * GIB), 4096);
	cof_code_range_limit(&code, &data, NULL, 0);
	assert_int_equal(code, GIB / 2);
	assert_int_equal(data, GIB);
}

/* Of how many bytes of [from, from + bytes) does a core file have a copy? */
static size_t dumped(const char *from, size_t bytes)
{
	uintptr_t lo = (uintptr_t)from, hi = lo + bytes, a = 0, b = 0;
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[512];
	size_t sum = 0;

	if (!maps)
		skip();
	while (fgets(line, sizeof(line), maps)) {
		unsigned long first, end;

		if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
			a = first, b = end;
		else if (strncmp(line, "VmFlags:", 8) == 0 && b > lo &&
			 a < hi && !strstr(line, " dd"))
			sum += (b < hi ? b : hi) - (a > lo ? a : lo);
	}
	fclose(maps);
	return sum;
}

static void a_core_file_has_the_code_and_no_more(void **state)
{
	const size_t mib = 1 << 20, bytes = 64 * mib;
	struct cof_code_range r;
	struct cof_code_pages copy;

	(void)state;
	assert_int_equal(cof_code_range_map(&r, bytes, mib, NULL, 0), 0);
	assert_int_equal(dumped(r.exec, bytes + mib), 0);
	assert_int_equal(dumped(r.write, bytes), 0);
	cof_code_range_dump(&r, 0, 5 * mib, 5 * mib + 64);
	assert_int_equal(dumped(r.exec + 5 * mib, mib), mib);
	cof_code_range_dump(&r, 0, 6 * mib - 64, 6 * mib + 64);
	cof_code_range_dump(&r, 1, bytes - 64, bytes);
	cof_code_range_dump(&r, 1, bytes - mib - 64, bytes - mib);
	cof_code_range_dump(&r, 1, bytes - 128, bytes - 64);
	assert_int_equal(dumped(r.exec, bytes), 4 * mib);
	assert_int_equal(dumped(r.exec + bytes - 2 * mib, 2 * mib), 2 * mib);

	/* After a fork it is so with the copy too. */
	assert_int_equal(cof_code_pages_new(&copy, bytes), 0);
	cof_code_range_part(&r, &copy, true);
	assert_int_equal(dumped(r.exec, bytes), 4 * mib);
	assert_int_equal(dumped(r.write, bytes), 0);
	cof_code_pages_free(&copy);
	cof_code_range_unmap(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			low_addresses_are_left_to_a_program_that_lives_there),
		cmocka_unit_test(a_core_file_has_the_code_and_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
