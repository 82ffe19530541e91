/*
 * test_code_range.c - a code range is near, mapped twice, and its code runs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "codemem/code_range.h"
#include "cof.h"
#include "process/barrier.h"
#include "tests/cof/process/raise.h"
#include "tests/support/valgrind.h"

#define GIB ((size_t)1 << 30)

static void the_barrier_works_and_works_again(void **state)
{
	(void)state;
	if (cof_barrier_sync_core() != 0)
		skip();		/* a kernel without it */
	assert_int_equal(cof_barrier_sync_core(), 0);
}

static void code_is_written_here_and_runs_there(void **state)
{
	static const unsigned char ret7[] = { 0xb8, 7, 0, 0, 0, 0xc3 };
	struct cof_code_range r;
	int (*fn)(void);

	(void)state;
	assert_int_equal(cof_code_range_map(&r, 1 << 20, 1 << 16, NULL, 0), 0);
	memcpy(r.write + 4096, ret7, sizeof(ret7));
	fn = (int (*)(void))(uintptr_t)(r.exec + 4096);
	assert_int_equal(fn(), 7);
	assert_true(r.data >= r.exec && r.data - r.exec < 1l << 31);
	r.data[r.data_bytes - 1] = 1;
	cof_code_range_forget(&r, 4096, 4096);
	assert_int_equal(r.exec[4096], 0);
	cof_code_range_unmap(&r);
	assert_null(r.exec);
}

static void no_page_is_writable_and_executable(void **state)
{
	struct cof_code_range r;
	char line[512], perms[8];
	unsigned long lo, hi;
	int parts = 0;
	FILE *maps;

	(void)state;
	assert_int_equal(cof_code_range_map(&r, 1 << 20, 1 << 16, NULL, 0), 0);
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
	cof_code_range_unmap(&r);
}

static void a_range_no_rel32_can_span_is_refused(void **state)
{
	struct cof_code_range r;

	(void)state;
	assert_int_equal(cof_code_range_map(&r, (size_t)3 << 30, 0, NULL, 0),
			 -COF_E_NOMEM);
	assert_int_equal(cof_code_range_map(&r, GIB, GIB, NULL, 0),
			 -COF_E_NOMEM);
	assert_int_equal(cof_code_range_map(&r, 0, 0, NULL, 0), -COF_E_NOMEM);
}

static bool reaches(const void *from, const void *to)
{
	intptr_t d = (intptr_t)to - (intptr_t)from;

	return d == (int32_t)d;
}

static char *reserve(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
		       MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void a_range_is_in_reach_if_there_is_room(void **state)
{
	struct cof_code_range near, far;
	char *own = reserve(5 * GIB), *middle;

	(void)state;
	if (!own)
		skip();		/* no address space */
	middle = own + 5 * GIB / 2;
	assert_int_equal(munmap(middle - GIB, GIB), 0);
	assert_int_equal(cof_code_range_map(&near, 64 << 20, 1 << 16, middle,
					    0), 0);
	assert_true(reaches(middle, near.exec));
	assert_true(reaches(middle, near.data + near.data_bytes));
	/* It is as near as possible: what lies around `middle` reaches it
	 * too. */
	assert_true(reaches(middle + GIB, near.exec));
	/* Our reservation is still mapped. */
	assert_int_equal(mprotect(own, 1, PROT_READ), 0);
	/* Now too little is free. */
	assert_int_equal(cof_code_range_map(&far, GIB, 0, middle, 0), 0);
	assert_false(reaches(middle, far.exec));
	cof_code_range_unmap(&near);
	cof_code_range_unmap(&far);
	munmap(own, 5 * GIB);
}

/* 12 GiB. Returns the first multiple of 4 GiB with 4 GiB on both sides. */
static char *reserve_around(char **own)
{
	*own = reserve(12 * GIB);
	if (!*own)
		skip();		/* no address space */
	return *own + 8 * GIB - (uintptr_t)*own % (4 * GIB);
}

/* As with an executable at 4 MiB, and its heap in the middle of what is in
 * reach. */
static void else_its_code_is(void **state)
{
	char *own, *base = reserve_around(&own), *near;
	struct cof_code_range r;

	(void)state;
	near = base + (4 << 20);
	assert_int_equal(munmap(base + (5 << 20), 15 * GIB / 16), 0);
	assert_int_equal(munmap(base + GIB, 3 * GIB), 0);
	assert_int_equal(cof_code_range_map(&r, GIB / 2, GIB, near, 0), 0);
	assert_true(r.exec >= base + GIB);
	assert_true(reaches(near, r.exec + r.bytes));
	assert_true(reaches(r.exec, r.data + r.data_bytes));
	cof_code_range_unmap(&r);
	munmap(own, 12 * GIB);
}

/* What is near may be large; then all of it is in reach, if there is room. */
static void all_that_is_near_is_in_reach(void **state)
{
	const size_t large = 3 * GIB / 4, code = GIB / 4, data = GIB / 2;
	char *own, *base = reserve_around(&own), *near;
	struct cof_code_range r;

	(void)state;
	near = base + 2 * GIB;
	assert_int_equal(munmap(base + GIB / 4, 5 * GIB / 4), 0);
	assert_int_equal(munmap(near + large + GIB / 4, GIB), 0);
	/* Below there is room from 0.5 GiB off, above from 0.25 GiB. */
	assert_int_equal(cof_code_range_map(&r, code, data, near, 0), 0);
	assert_true(r.exec < near);
	assert_true(cof_code_range_reaches(&r, near, 1));
	assert_false(cof_code_range_reaches(&r, near, 2 * GIB));
	cof_code_range_unmap(&r);
	assert_int_equal(cof_code_range_map(&r, code, data, near, large), 0);
	assert_true(r.exec >= near + large);
	assert_true(cof_code_range_reaches(&r, near, large));
	assert_true(reaches(near, r.data + r.data_bytes));
	cof_code_range_unmap(&r);
	/* It may be too large: then its beginning is in reach. */
	assert_int_equal(cof_code_range_map(&r, code, data, near, 2 * GIB), 0);
	assert_true(cof_code_range_reaches(&r, near, 1));
	assert_false(cof_code_range_reaches(&r, near, 2 * GIB));
	cof_code_range_unmap(&r);
	munmap(own, 12 * GIB);
}

static bool has_4g(const char *at, size_t bytes)
{
	return (uint32_t)(uintptr_t)at == 0 ||
	       (uintptr_t)at >> 32 != ((uintptr_t)at + bytes - 1) >> 32;
}

static char *multiple_below(const char *at)
{
	return (char *)((uintptr_t)at & ~(4 * GIB - 1));
}

/* libgcc finds no unwind table of a function that begins at a multiple. */
static void no_code_is_at_a_multiple_of_4_gib(void **state)
{
	const size_t code = 64 << 20, quarter = GIB / 4;
	char *own = reserve(6 * GIB), *b;
	struct cof_code_range r;

	(void)state;
	if (!own)
		skip();		/* no address space */
	b = multiple_below(own + 4 * GIB + quarter);
	assert_int_equal(munmap(b - quarter, 2 * quarter), 0);
	/* The nearest free addresses would be around the multiple. */
	assert_int_equal(cof_code_range_map(&r, code, 1 << 16, b + code / 2, 0),
			 0);
	assert_true(reaches(b, r.exec));
	assert_false(has_4g(r.exec, r.bytes));
	cof_code_range_unmap(&r);
	munmap(own, 6 * GIB);
}

static void nor_is_code_there_if_a_range_may_be_anywhere(void **state)
{
	char *end = reserve(GIB), *from, *probe;
	struct cof_code_range r;

	(void)state;
	if (!end)
		skip();
	munmap(end, GIB);
	end += GIB;
	from = multiple_below(end - GIB / 2) + GIB / 2;
	if (from < end && mmap(from, (size_t)(end - from), PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			       MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
		skip();
	probe = reserve(GIB);
	if (!probe || !has_4g(probe, GIB))
		skip();		/* mmap() does not take the highest address */
	munmap(probe, GIB);
	assert_int_equal(cof_code_range_map(&r, GIB, 0, NULL, 0), 0);
	assert_false(has_4g(r.exec, r.bytes));
	cof_code_range_unmap(&r);
	munmap(from, (size_t)(end - from));
}

/* Nothing is free below the heap, and much above it. */
static void the_heap_keeps_room_to_grow(void **state)
{
	const size_t step = 1 << 20, grows = 200 << 20;
	char *end = sbrk(0);
	char *mine[2048], *at = end - (uintptr_t)end % step;
	struct cof_code_range r;

	(void)state;
	skip_under_tsan();	/* it rejects addresses */
	skip_under_valgrind();	/* heap */
	for (size_t i = 0; i < 2048; i++) {
		at -= step;
		mine[i] = mmap(at, step, PROT_NONE, MAP_PRIVATE |
			       MAP_ANONYMOUS | MAP_NORESERVE |
			       MAP_FIXED_NOREPLACE, -1, 0);
	}
	assert_int_equal(cof_code_range_map(&r, 64 << 20, 0, end, 0), 0);
	assert_true(reaches(end, r.exec));
	assert_ptr_equal(sbrk((intptr_t)grows), end);
	assert_ptr_equal(sbrk(-(intptr_t)grows), end + grows);
	cof_code_range_unmap(&r);
	for (size_t i = 0; i < 2048; i++)
		if (mine[i] != MAP_FAILED)
			munmap(mine[i], step);
}

static void near_the_ends_of_memory_a_range_is_anywhere(void **state)
{
	const uintptr_t end[] = {
		1, 4096, UINTPTR_MAX, UINTPTR_MAX - (1 << 30)
	};
	struct cof_code_range r;

	(void)state;
	skip_under_tsan();	/* it turns addresses it rejects into 0 */
	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
		assert_int_equal(cof_code_range_map(&r, 1 << 20, 1 << 16,
						    (const void *)end[i], 0),
				 0);
		assert_true((uintptr_t)r.exec >= 1 << 20); /* not near NULL */
		memset(r.write, 0xc3, 1);
		((void (*)(void))(uintptr_t)r.exec)();
		cof_code_range_unmap(&r);
	}
}

static void where_no_file_can_be_opened_there_is_code_memory_too(void **state)
{
	struct rlimit all, none;

	(void)state;
	skip_under_valgrind();		/* mremap */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	none = all;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	code_is_written_here_and_runs_there(NULL);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
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
		T(a_range_is_in_reach_if_there_is_room),
		T(else_its_code_is),
		T(all_that_is_near_is_in_reach),
		T(no_code_is_at_a_multiple_of_4_gib),
		T(nor_is_code_there_if_a_range_may_be_anywhere),
		T(the_heap_keeps_room_to_grow),
		T(near_the_ends_of_memory_a_range_is_anywhere),
		T(where_no_file_can_be_opened_there_is_code_memory_too),
		T(where_files_must_be_small_there_is_code_memory_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
