/*
 * test_record.c - records of section .cof.bc are found one after the other, and
 * damage to them is noticed
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/record.h"

static char   section[512];
static size_t n_section;

static void add(const void *bytes, size_t n)
{
	memcpy(section + n_section, bytes, n);
	n_section += n;
}

static void add_record(uint64_t kind, const char *text)
{
	struct cofl_record r;

	while (n_section % 8 != 0)
		add("", 1);
	cofl_record_make(&r, kind, text, strlen(text));
	add(&r, sizeof(r));
	add(text, strlen(text));
}

static int begin(void **state)
{
	(void)state;
	n_section = 0;
	add_record(COFL_RECORD_BITCODE, "one");
	add_record(COFL_RECORD_LEFT_OUT, "-flto");
	add("\0\0\0\0\0\0\0", 8);
	add_record(COFL_RECORD_BITCODE, "three");
	return 0;
}

/* Read the first `n` bytes of the section. Returns how many records there are
 * that are whole; -1: the section or one of them is damaged. */
static int count(size_t n)
{
	const char *bytes, *at = section;
	struct cofl_record r;
	int records = 0;

	while (cofl_record_next(&r, &bytes, &at, &n)) {
		if (!cofl_record_is_whole(&r, bytes))
			return -1;
		records++;
	}
	return n == 0 ? records : -1;
}

static void records_follow_each_other(void **state)
{
	const char *bytes, *at = section;
	size_t left = n_section;
	struct cofl_record r;

	(void)state;
	assert_int_equal(count(n_section), 3);
	assert_true(cofl_record_next(&r, &bytes, &at, &left));
	assert_true(cofl_record_next(&r, &bytes, &at, &left));
	assert_int_equal(r.kind, COFL_RECORD_LEFT_OUT);
	assert_int_equal(r.bytes, 5);
	assert_memory_equal(bytes, "-flto", 5);
	assert_int_equal(count(0), 0);
}

static void every_changed_byte_is_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_section; i++) {
		section[i] ^= 0x40;
		assert_int_equal(count(n_section), -1);
		section[i] ^= 0x40;
	}
}

static void a_section_that_is_cut_off_is_damaged(void **state)
{
	size_t third = n_section - sizeof(struct cofl_record) - strlen("three");

	(void)state;
	for (size_t n = third + 1; n < n_section; n++)
		assert_int_equal(count(n), -1);
	for (size_t n = 1; n < sizeof(struct cofl_record) + 3; n++)
		assert_int_equal(count(n), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(records_follow_each_other, begin),
		cmocka_unit_test_setup(every_changed_byte_is_noticed, begin),
		cmocka_unit_test_setup(a_section_that_is_cut_off_is_damaged,
				       begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
