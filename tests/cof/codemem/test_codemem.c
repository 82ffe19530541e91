/*
 * test_codemem.c - blocks of code memory: allocated, written, run, released
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backed.h"
#include "codemem/code_pages.h"
#include "codemem/code_range.h"
#include "codemem/codemem.h"

#define MIB (1u << 20)
#define TRAP 0xcc

static struct cof_codemem *mem;

static int setup(void **state)
{
	int err;

	(void)state;
	mem = cof_codemem_new(4 * MIB, MIB, NULL, 0, &err);
	return mem ? 0 : err;
}

static int teardown(void **state)
{
	(void)state;
	cof_codemem_free(mem);
	return 0;
}

static struct cof_code get(size_t bytes, enum cof_code_area area)
{
	struct cof_code c;

	assert_int_equal(cof_codemem_alloc(mem, bytes, area, &c), 0);
	return c;
}

static void all_are(const void *p, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(((const unsigned char *)p)[i], byte);
}

static size_t backed(void)
{
	return backed_bytes(cof_codemem_range(mem));
}

static void a_block_is_aligned_and_full_of_traps(void **state)
{
	struct cof_code c = get(100, COF_CODE_FIRST);

	(void)state;
	assert_int_equal((uintptr_t)c.exec % 64, 0);
	assert_int_equal(c.size_bytes, 128);
	all_are(c.exec, TRAP, c.size_bytes);
	assert_int_equal(cof_codemem_used(mem, COF_CODE_FIRST), 128);
	assert_int_equal(cof_codemem_used(mem, COF_CODE_HOT), 0);
}

static void what_is_written_at_one_address_runs_at_the_other(void **state)
{
	struct cof_code c = get(64, COF_CODE_HOT);
	int (*run)(void) = (int (*)(void))(uintptr_t)c.exec;

	(void)state;
	assert_ptr_not_equal(c.write, c.exec);
	memcpy(c.write, "\xb8\x2a\0\0\0\xc3", 6);
	assert_int_equal(run(), 42);
	memcpy(c.write, "\xb8\x2b\0\0\0\xc3", 6);
	assert_int_equal(run(), 43);
}

static void areas_grow_towards_each_other(void **state)
{
	char *first = get(64, COF_CODE_FIRST).exec;
	char *hot = get(64, COF_CODE_HOT).exec;

	(void)state;
	assert_ptr_equal(get(64, COF_CODE_FIRST).exec, first + 64);
	assert_ptr_equal(get(64, COF_CODE_HOT).exec, hot - 64);
	assert_ptr_equal(hot + 64, cof_codemem_range(mem)->exec + 4 * MIB);
}

static void a_full_range_refuses_and_one_release_is_enough(void **state)
{
	struct cof_code c, last = { 0 };
	int n = 0;

	(void)state;
	while (cof_codemem_alloc(mem, 65536, n % 2 ? COF_CODE_HOT :
				 COF_CODE_FIRST, &c) == 0) {
		last = c;
		n++;
	}
	assert_int_equal(n, 4 * MIB / 65536 - 4);	/* 1/16 is for stubs */
	assert_int_equal(cof_codemem_alloc(mem, 64, COF_CODE_HOT, &c),
			 -COF_E_NOMEM);
	cof_codemem_release(mem, &last);
	/* Either area may take the released block. */
	assert_int_equal(cof_codemem_alloc(mem, 65536, COF_CODE_FIRST, &c), 0);
	assert_int_equal(cof_codemem_alloc(mem, 65536, COF_CODE_HOT, &c),
			 -COF_E_NOMEM);
	assert_int_equal(cof_codemem_alloc(mem, 0, COF_CODE_HOT, &c),
			 -COF_E_INVAL);
	assert_int_equal(cof_codemem_alloc(mem, SIZE_MAX, COF_CODE_HOT, &c),
			 -COF_E_NOMEM);
}

static void a_released_block_is_traps_and_is_used_again(void **state)
{
	struct cof_code a = get(128, COF_CODE_HOT), b = get(64, COF_CODE_HOT);
	struct cof_code c;

	(void)state;
	memset(a.write, 0x90, a.size_bytes);
	cof_codemem_release(mem, &a);
	assert_int_equal(cof_codemem_used(mem, COF_CODE_HOT), 64);
	all_are(a.exec, TRAP, a.size_bytes);
	c = get(128, COF_CODE_HOT);
	assert_ptr_equal(c.exec, a.exec);
	cof_codemem_release(mem, &b);
	cof_codemem_release(mem, &c);
}

static void whole_free_pages_go_back_and_come_again_as_traps(void **state)
{
	size_t before = backed();
	struct cof_code big = get(64 * 4096 + 64, COF_CODE_FIRST);
	struct cof_code stop = get(64, COF_CODE_FIRST);

	(void)state;
	assert_true(backed() >= before + 64 * 4096);
	memset(big.write, 0x90, big.size_bytes);
	cof_codemem_release(mem, &big);
	assert_true(backed() <= before + 3 * 4096);
	big = get(64 * 4096 + 64, COF_CODE_FIRST);
	all_are(big.exec, TRAP, big.size_bytes);
	all_are(stop.exec, TRAP, stop.size_bytes);
}

/* Giving back pages must not clear bytes of a neighbour. */
static void a_release_leaves_the_neighbours_alone(void **state)
{
	static struct cof_code c[64];

	(void)state;
	for (int i = 0; i < 64; i++) {
		c[i] = get(64 * (size_t)(1 + i * 37 % 150),
			   i % 2 ? COF_CODE_HOT : COF_CODE_FIRST);
		memset(c[i].write, i, c[i].size_bytes);
	}
	for (int i = 0; i < 64; i++) {
		int k = i * 29 % 64;

		cof_codemem_release(mem, &c[k]);
		c[k].exec = NULL;
		for (int j = 0; j < 64; j++)
			if (c[j].exec)
				all_are(c[j].exec, j, c[j].size_bytes);
	}
	assert_int_equal(cof_codemem_used(mem, COF_CODE_FIRST), 0);
	assert_int_equal(cof_codemem_used(mem, COF_CODE_HOT), 0);
	/* The whole range is one free extent again. */
	get(4 * MIB / 16 * 15, COF_CODE_HOT);
}

static void near_data_is_zeroed_aligned_and_in_reach(void **state)
{
	char *a = cof_codemem_data(mem, 3, 1);
	char *b = cof_codemem_data(mem, 8, 4096);

	(void)state;
	assert_non_null(a);
	assert_int_equal((uintptr_t)b % 4096, 0);
	all_are(b, 0, 8);
	b[0] = 1;
	assert_true(b - cof_codemem_range(mem)->exec < INT32_MAX);
	assert_int_equal(cof_codemem_data_used(mem), 4096 + 8);
	assert_null(cof_codemem_data(mem, MIB, 1));
	assert_null(cof_codemem_data(mem, 0, 1));
	assert_null(cof_codemem_data(mem, 8, 3));
	assert_null(cof_codemem_data(mem, 8, 8192));
	assert_non_null(cof_codemem_data(mem, MIB - 4096 - 8, 1));
	assert_null(cof_codemem_data(mem, 1, 1));
}

static void stubs_run_out_without_touching_blocks(void **state)
{
	struct cof_code c = get(64, COF_CODE_FIRST);
	uintptr_t first = cof_codemem_stub(mem), stub = first, last = 0;
	size_t n = 0;

	(void)state;
	memset(c.write, 0x90, c.size_bytes);
	for (; stub; n++) {
		assert_int_equal(stub % 16, 0);
		assert_null(*cof_codemem_stub_word(mem, stub));
		*cof_codemem_stub_word(mem, stub) = (void *)stub;
		all_are((void *)stub, TRAP, 16);
		last = stub;
		stub = cof_codemem_stub(mem);
	}
	assert_int_equal(n, (4 * MIB / 16 - 64) / 16);
	assert_int_equal(last + 16, (uintptr_t)c.exec);
	assert_ptr_equal(*cof_codemem_stub_word(mem, first), (void *)first);
	assert_ptr_equal(*cof_codemem_stub_word(mem, last), (void *)last);
	all_are(c.exec, 0x90, c.size_bytes);
}

static void addresses_outside_have_no_alias(void **state)
{
	const struct cof_code_range *r = cof_codemem_range(mem);
	uintptr_t exec = (uintptr_t)r->exec;

	(void)state;
	assert_ptr_equal(cof_codemem_write(mem, exec + 5), r->write + 5);
	assert_null(cof_codemem_write(mem, exec - 1));
	assert_null(cof_codemem_write(mem, exec + r->bytes));
	assert_true(cof_codemem_holds(mem, exec, exec + r->bytes));
	assert_false(cof_codemem_holds(mem, exec, exec + r->bytes + 1));
	assert_false(cof_codemem_holds(mem, exec + 2, exec + 1));
}

static void two_ranges_are_independent(void **state)
{
	struct cof_codemem *other, *one = mem;
	struct cof_code a, b;
	int err;

	(void)state;
	other = cof_codemem_new(4 * MIB, MIB, NULL, 0, &err);
	assert_non_null(other);
	a = get(64, COF_CODE_FIRST);
	mem = other;
	b = get(64, COF_CODE_FIRST);
	memset(a.write, 1, 64);
	memset(b.write, 2, 64);
	all_are(a.exec, 1, 64);
	mem = one;
	cof_codemem_free(other);
	all_are(a.exec, 1, 64);
}

static void a_range_that_does_not_fit_is_refused(void **state)
{
	int err = 0;

	(void)state;
	assert_null(cof_codemem_new((size_t)3 << 30, MIB, NULL, 0, &err));
	assert_int_equal(err, -COF_E_NOMEM);
}

static char byte_of(int fd, const void *exec)
{
	char byte = 0;

	assert_int_equal(pread(fd, &byte, 1, (const char *)exec -
			       cof_codemem_range(mem)->exec), 1);
	return byte;
}

static void a_snapshot_holds_blocks_and_stubs_and_no_free_pages(void **state)
{
	struct cof_code first = get(64, COF_CODE_FIRST);
	struct cof_code freed = get(64 * 4096, COF_CODE_FIRST);
	struct cof_code last = get(64, COF_CODE_FIRST);
	struct cof_code hot_free = get(64 * 4096, COF_CODE_HOT);
	struct cof_code hot = get(64, COF_CODE_HOT);
	char *stub = (char *)cof_codemem_stub(mem);
	struct cof_code_pages copy;
	size_t before;
	int fd;

	(void)state;
	*(char *)first.write = 'a';
	*(char *)last.write = 'b';
	*(char *)hot.write = 'c';
	*(char *)cof_codemem_write(mem, (uintptr_t)stub) = 'd';
	cof_codemem_release(mem, &freed);
	cof_codemem_release(mem, &hot_free);
	before = backed();
	assert_int_equal(cof_codemem_snapshot(mem, &copy), 0);
	fd = copy.fd;
	assert_true(fd >= 0);
	*(char *)first.write = 'x';
	assert_int_equal(byte_of(fd, first.exec), 'a');
	assert_int_equal(byte_of(fd, last.exec), 'b');
	assert_int_equal(byte_of(fd, hot.exec), 'c');
	assert_int_equal(byte_of(fd, stub), 'd');
	assert_int_equal(byte_of(fd, freed.exec), (char)TRAP);
	assert_int_equal(byte_of(fd, (char *)freed.exec + 8 * 4096), 0);
	/* Reading a free extent would have backed its pages. */
	assert_int_equal(backed(), before);
	cof_code_pages_free(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(a_block_is_aligned_and_full_of_traps),
		T(what_is_written_at_one_address_runs_at_the_other),
		T(areas_grow_towards_each_other),
		T(a_full_range_refuses_and_one_release_is_enough),
		T(a_released_block_is_traps_and_is_used_again),
		T(whole_free_pages_go_back_and_come_again_as_traps),
		T(a_release_leaves_the_neighbours_alone),
		T(near_data_is_zeroed_aligned_and_in_reach),
		T(stubs_run_out_without_touching_blocks),
		T(addresses_outside_have_no_alias),
		T(two_ranges_are_independent),
		T(a_range_that_does_not_fit_is_refused),
		T(a_snapshot_holds_blocks_and_stubs_and_no_free_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
