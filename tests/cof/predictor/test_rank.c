/*
 * test_rank.c - the best few of many, in order, each once
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/version.h"
#include "predictor/rank.h"

#define MANY 1000u

static struct cof_version v[MANY];
static struct cof_rank    rank;

static int setup(void **state)
{
	(void)state;
	cof_rank_init(&rank, 10);
	return 0;
}

static void offer(uint32_t i, uint32_t key)
{
	cof_rank_offer(&rank, &(struct cof_ranked){ .version = &v[i],
						    .key = key });
}

/* The ten best of 0 .. MANY - 1 are in it, best first. */
static void check_best_ten(void)
{
	assert_int_equal(rank.n, 10);
	for (uint32_t i = 0; i < 10; i++) {
		assert_int_equal(rank.at[i].key, MANY - 1 - i);
		assert_ptr_equal(rank.at[i].version, &v[MANY - 1 - i]);
	}
}

static void the_best_are_found_in_rising_order(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		offer(i, i);
	check_best_ten();
}

static void the_best_are_found_in_falling_order(void **state)
{
	(void)state;
	for (uint32_t i = MANY; i-- > 0;)
		offer(i, i);
	check_best_ten();
}

static void the_best_are_found_in_no_order(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MANY; i++)	/* 617 and 1000 are coprime */
		offer(i * 617 % MANY, i * 617 % MANY);
	check_best_ten();
}

static void fewer_than_ten_are_all_there(void **state)
{
	(void)state;
	offer(1, 5);
	offer(2, 9);
	offer(3, 0);
	assert_int_equal(rank.n, 3);
	assert_ptr_equal(rank.at[0].version, &v[2]);
	assert_ptr_equal(rank.at[1].version, &v[1]);
	assert_ptr_equal(rank.at[2].version, &v[3]);
}

static void of_equals_the_first_is_ahead(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 20; i++)
		offer(i, 7);
	assert_int_equal(rank.n, 10);
	for (uint32_t i = 0; i < 10; i++)
		assert_ptr_equal(rank.at[i].version, &v[i]);
}

static void a_version_is_in_it_once_with_its_better_key(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 10; i++)
		offer(i, 10 * i + 10);
	offer(3, 95);
	assert_int_equal(rank.n, 10);
	assert_ptr_equal(rank.at[0].version, &v[9]);	/* 100 */
	assert_ptr_equal(rank.at[1].version, &v[3]);	/* 95 */
	assert_ptr_equal(rank.at[2].version, &v[8]);	/* 90 */
	assert_ptr_equal(rank.at[6].version, &v[4]);	/* 50 */
	assert_ptr_equal(rank.at[7].version, &v[2]);	/* 30 */
	offer(3, 60);
	assert_ptr_equal(rank.at[1].version, &v[3]);
	assert_int_equal(rank.at[1].key, 95);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_best_are_found_in_rising_order),
		T(the_best_are_found_in_falling_order),
		T(the_best_are_found_in_no_order),
		T(fewer_than_ten_are_all_there),
		T(of_equals_the_first_is_ahead),
		T(a_version_is_in_it_once_with_its_better_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
