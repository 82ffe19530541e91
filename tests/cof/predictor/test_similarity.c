/*
 * test_similarity.c - overlap of shares, from nothing in common to the same
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/version.h"
#include "predictor/similarity.h"

static struct cof_method    m[20];
static struct cof_top_lists past;

static int setup(void **state)
{
	(void)state;
	past = (struct cof_top_lists){ 0 };
	return 0;
}

/* A top ten of methods first, first + 1, ... with these weights, ended by 0. */
static struct cof_top top(int first, const uint32_t *weight)
{
	struct cof_top t = { 0 };

	for (; weight[t.n]; t.n++) {
		t.at[t.n].method = &m[first + (int)t.n];
		t.at[t.n].weight = weight[t.n];
		t.total += weight[t.n];
	}
	return t;
}

#define TOP(first, ...) top(first, (const uint32_t[]){ __VA_ARGS__, 0 })

static void before(struct cof_top t, int times)
{
	while (times-- > 0)
		cof_top_lists_push(&past, &t);
}

static uint32_t now(struct cof_top t)
{
	return cof_similarity(&t, &past);
}

static void the_same_is_1000(void **state)
{
	(void)state;
	before(TOP(0, 70, 20, 7, 1, 1, 1, 13), 1);
	assert_int_equal(now(TOP(0, 70, 20, 7, 1, 1, 1, 13)), 1000);
	before(TOP(0, 70, 20, 7, 1, 1, 1, 13), 15);
	assert_int_equal(now(TOP(0, 70, 20, 7, 1, 1, 1, 13)), 1000);
}

static void nothing_in_common_is_0(void **state)
{
	(void)state;
	before(TOP(0, 70, 20, 7), 16);
	assert_int_equal(now(TOP(3, 70, 20, 7)), 0);
}

static void shares_count_and_not_weights(void **state)
{
	(void)state;
	before(TOP(0, 70, 20, 10), 4);
	assert_int_equal(now(TOP(0, 7, 2, 1)), 1000);
	assert_int_equal(now(TOP(0, 7000, 2000, 1000)), 1000);
}

static void the_overlap_is_the_smaller_share_of_each(void **state)
{
	(void)state;
	before(TOP(0, 60, 40), 4);
	assert_int_equal(now(TOP(0, 40, 60)), 800);	/* .4 + .4 */
	assert_int_equal(now(TOP(0, 100)), 600);
	assert_int_equal(now(TOP(1, 25, 75)), 250);	/* .4 and .25, none */
}

static void a_small_newcomer_takes_little(void **state)
{
	(void)state;
	before(TOP(0, 50, 50), 4);
	assert_int_equal(now(TOP(0, 50, 45, 5)), 950);
}

static void before_is_the_average_of_the_latest_four(void **state)
{
	(void)state;
	before(TOP(9, 100), 12);	/* too long ago to matter */
	before(TOP(5, 100), 3);
	before(TOP(0, 100), 1);
	assert_int_equal(now(TOP(0, 100)), 250);
	assert_int_equal(now(TOP(5, 100)), 750);
	assert_int_equal(now(TOP(9, 100)), 0);
}

static void a_short_past_is_averaged_over_what_there_is(void **state)
{
	(void)state;
	before(TOP(0, 100), 1);
	assert_int_equal(now(TOP(0, 100)), 1000);
	before(TOP(1, 100), 1);
	assert_int_equal(now(TOP(0, 100)), 500);
}

static void a_method_missing_before_counts_as_zero_there(void **state)
{
	(void)state;
	before(TOP(0, 50, 50), 2);
	before(TOP(0, 100), 2);
	/* Method 1: .5 .5 0 0, on average .25; method 0: .75. */
	assert_int_equal(now(TOP(0, 50, 50)), 750);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_same_is_1000),
		T(nothing_in_common_is_0),
		T(shares_count_and_not_weights),
		T(the_overlap_is_the_smaller_share_of_each),
		T(a_small_newcomer_takes_little),
		T(before_is_the_average_of_the_latest_four),
		T(a_short_past_is_averaged_over_what_there_is),
		T(a_method_missing_before_counts_as_zero_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
