/*
 * test_code_buckets.c - what PRE reads is of one generation
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/code_buckets.h"

static struct cof_code_buckets buckets;
static uint16_t got[COF_CODE_BUCKETS];

static void add(uint32_t at, uint32_t n)
{
	while (n-- > 0)
		cof_code_buckets_add(&buckets, at);
}

static int reset(void **state)
{
	(void)state;
	buckets = (struct cof_code_buckets){ 0 };
	return 0;
}

static void a_generation_has_what_came_since_the_one_before(void **state)
{
	(void)state;
	cof_code_buckets_take(&buckets, 7, got);
	add(3, 5);
	add(15, 2);
	cof_code_buckets_take(&buckets, 8, got);
	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++)
		assert_int_equal(got[i], i == 3 ? 5 : i == 15 ? 2 : 0);
	add(3, 65535);		/* the counter wraps around */
	cof_code_buckets_take(&buckets, 9, got);
	assert_int_equal(got[3], 65535);
}

static void what_came_while_it_was_passed_over_says_nothing(void **state)
{
	(void)state;
	add(1, 9);
	cof_code_buckets_take(&buckets, 4, got);
	assert_int_equal(got[1], 0);	/* it may be of any time */
	add(0, 250);
	cof_code_buckets_take(&buckets, 6, got);
	assert_int_equal(got[0], 0);
	add(0, 20);
	cof_code_buckets_take(&buckets, 7, got);
	assert_int_equal(got[0], 20);
}

static void buckets_are_equal_parts_of_the_code(void **state)
{
	(void)state;
	assert_int_equal(cof_code_buckets_of(0, 1), 0);
	assert_int_equal(cof_code_buckets_of(15, 16), 15);
	assert_int_equal(cof_code_buckets_of(16, 17), 8);
	assert_int_equal(cof_code_buckets_of(4095, 4096), 15);
}

#define T(name) cmocka_unit_test_setup(name, reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_generation_has_what_came_since_the_one_before),
		T(what_came_while_it_was_passed_over_says_nothing),
		T(buckets_are_equal_parts_of_the_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
