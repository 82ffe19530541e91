/*
 * test_word.c - the four parts of a COF word do not touch each other
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/word.h"

static void check_word(uint64_t v, uint16_t weight, uint16_t calls,
		       uint16_t generation, uint16_t flags)
{
	struct cof_word w = cof_word_unpack(v);

	assert_int_equal(w.weight, weight);
	assert_int_equal(w.calls, calls);
	assert_int_equal(w.generation, generation);
	assert_int_equal(w.flags, flags);
}

static void each_part_is_where_the_picture_says(void **state)
{
	(void)state;
	check_word(0xaaaabbbbccccddddu, 0xaaaa, 0xbbbb, 0xcccc, 0xdddd);
	assert_true(cof_word_pack((struct cof_word){ .weight = 1 }) ==
		    (uint64_t)1 << 48);
	assert_true(cof_word_pack((struct cof_word){ .calls = 1 }) ==
		    (uint64_t)1 << 32);
	assert_true(cof_word_pack((struct cof_word){ .generation = 1 }) ==
		    (uint64_t)1 << 16);
	assert_true(cof_word_pack((struct cof_word){ .flags = 1 }) == 1);
}

static void what_is_packed_is_unpacked(void **state)
{
	static const uint16_t some[] = { 0, 1, 0x7fff, 0x8000, 0xffff };
	const size_t n = sizeof(some) / sizeof(some[0]);

	(void)state;
	for (size_t i = 0; i < n * n * n * n; i++) {
		struct cof_word w = {
			.weight = some[i % n], .calls = some[i / n % n],
			.generation = some[i / n / n % n],
			.flags = some[i / n / n / n],
		};

		check_word(cof_word_pack(w), w.weight, w.calls, w.generation,
			   w.flags);
	}
}

static void a_word_is_read_as_it_stands(void **state)
{
	_Atomic uint64_t word = 0x0001000200030004u;
	struct cof_word w = cof_word_read(&word);

	(void)state;
	assert_int_equal(w.weight, 1);
	assert_int_equal(w.calls, 2);
	assert_int_equal(w.generation, 3);
	assert_int_equal(w.flags, 4);
}

static void flags_are_set_and_cleared_and_the_rest_stays(void **state)
{
	_Atomic uint64_t word = 0xffffffffffff0000u;

	(void)state;
	cof_word_flags(&word, COF_WORD_SETTLED | COF_WORD_HIT, 0);
	check_word(word, 0xffff, 0xffff, 0xffff,
		   COF_WORD_SETTLED | COF_WORD_HIT);
	cof_word_flags(&word, COF_WORD_DEAD, COF_WORD_SETTLED);
	check_word(word, 0xffff, 0xffff, 0xffff, COF_WORD_DEAD | COF_WORD_HIT);
	cof_word_flags(&word, 0, 0xffff);
	check_word(word, 0xffff, 0xffff, 0xffff, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_is_where_the_picture_says),
		cmocka_unit_test(what_is_packed_is_unpacked),
		cmocka_unit_test(a_word_is_read_as_it_stands),
		cmocka_unit_test(flags_are_set_and_cleared_and_the_rest_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
