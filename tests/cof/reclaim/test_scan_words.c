/*
 * test_scan_words.c - which words of a stack count, and which can be read
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "reclaim/scan.h"

static struct cof_scan_range r[] = {
	{ .lo = 1000, .hi = 1100 }, { .lo = 1100, .hi = 1200 },
	{ .lo = 5000, .hi = 5001 }, { .lo = 9000, .hi = 9900 },
};

/* Bit i: range i was marked. */
static unsigned marks_of(uintptr_t word)
{
	uintptr_t words[3] = { 0, word, UINTPTR_MAX };
	struct cof_scan scan = { .range = r, .n = 4 };
	unsigned marks = 0;

	for (int i = 0; i < 4; i++)
		r[i].inside = false;
	cof_scan_words(&scan, words, words + 3);
	for (unsigned i = 0; i < 4; i++)
		marks |= (unsigned)r[i].inside << i;
	return marks;
}

static void a_word_marks_the_range_it_points_into(void **state)
{
	(void)state;
	assert_int_equal(marks_of(999), 0);
	assert_int_equal(marks_of(1000), 1);
	assert_int_equal(marks_of(1099), 1);
	assert_int_equal(marks_of(1101), 2);
	assert_int_equal(marks_of(3000), 0);
	assert_int_equal(marks_of(5000), 4);
	assert_int_equal(marks_of(9500), 8);
	assert_int_equal(marks_of(9901), 0);
}

static void a_return_address_behind_the_last_call_counts(void **state)
{
	(void)state;
	assert_int_equal(marks_of(1200), 2);
	assert_int_equal(marks_of(1100), 3);
	assert_int_equal(marks_of(9900), 8);
}

static void words_outside_the_given_part_do_not_count(void **state)
{
	uintptr_t words[4] = { 1000, 1, 2, 1000 };
	struct cof_scan scan = { .range = r, .n = 4 };

	(void)state;
	r[0].inside = false;
	cof_scan_words(&scan, words + 1, words + 3);
	assert_false(r[0].inside);
	cof_scan_words(&scan, words + 1, words + 1);
	assert_false(r[0].inside);
}

static void only_the_readable_top_of_a_stack_is_read(void **state)
{
	char *p = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t lo = (uintptr_t)p, hi = lo + 64 * 4096;

	(void)state;
	assert_true(p != MAP_FAILED);
	assert_int_equal(cof_scan_readable(lo, hi), lo);
	assert_int_equal(cof_scan_readable(lo + 5, hi - 5), lo);
	for (unsigned page = 1; page < 64; page += 6) {
		assert_int_equal(mprotect(p, page * 4096, PROT_NONE), 0);
		assert_int_equal(cof_scan_readable(lo, hi), lo + page * 4096);
	}
	assert_int_equal(munmap(p, 64 * 4096), 0);
	assert_int_equal(cof_scan_readable(lo, hi), hi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_marks_the_range_it_points_into),
		cmocka_unit_test(a_return_address_behind_the_last_call_counts),
		cmocka_unit_test(words_outside_the_given_part_do_not_count),
		cmocka_unit_test(only_the_readable_top_of_a_stack_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
