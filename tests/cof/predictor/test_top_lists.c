/*
 * test_top_lists.c - a ring of past top tens, by method
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/version.h"
#include "predictor/rank.h"
#include "predictor/top_lists.h"

static struct cof_method  m[20];
static struct cof_version v[20], recompiled;

static int setup(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++)
		v[i].method = &m[i];
	recompiled.method = &m[0];
	return 0;
}

static struct cof_ranked ranked(struct cof_version *version, uint16_t weight)
{
	return (struct cof_ranked){ .version = version, .weight = weight };
}

static void a_top_ten_has_ten_methods_at_most(void **state)
{
	struct cof_rank rank = { .n = 15, .max = 32 };
	struct cof_top top;

	(void)state;
	for (uint16_t i = 0; i < 15; i++)
		rank.at[i] = ranked(&v[i], (uint16_t)(100 - i));
	cof_top_lists_make(&top, &rank, 7);
	assert_int_equal(top.generation, 7);
	assert_int_equal(top.n, 10);
	assert_int_equal(top.total, 955);
	for (uint16_t i = 0; i < 10; i++) {
		assert_ptr_equal(top.at[i].method, &m[i]);
		assert_int_equal(top.at[i].weight, 100 - i);
	}
}

static void two_versions_of_a_method_are_added_up(void **state)
{
	struct cof_rank rank = { .n = 3, .max = 32 };
	struct cof_top top;

	(void)state;
	rank.at[0] = ranked(&v[0], 60);
	rank.at[1] = ranked(&v[1], 50);
	rank.at[2] = ranked(&recompiled, 40);
	cof_top_lists_make(&top, &rank, 1);
	assert_int_equal(top.n, 2);
	assert_int_equal(top.total, 150);
	assert_ptr_equal(top.at[0].method, &m[0]);
	assert_int_equal(top.at[0].weight, 100);
}

static void an_empty_ring_has_no_past(void **state)
{
	static struct cof_top_lists h;

	(void)state;
	assert_null(cof_top_lists_at(&h, 0));
	assert_null(cof_top_lists_at(&h, COF_TOP_LISTS_DEPTH));
}

static void sixteen_generations_are_there_and_no_older_ones(void **state)
{
	static struct cof_top_lists h;

	(void)state;
	for (uint64_t g = 1; g <= 100; g++) {
		uint64_t n = g < COF_TOP_LISTS_DEPTH ? g :
						       COF_TOP_LISTS_DEPTH;

		cof_top_lists_push(&h, &(struct cof_top){ .generation = g });
		for (uint32_t back = 0; back < n; back++)
			assert_int_equal(cof_top_lists_at(&h, back)->generation,
					 g - back);
		assert_null(cof_top_lists_at(&h, (uint32_t)n));
	}
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_top_ten_has_ten_methods_at_most),
		T(two_versions_of_a_method_are_added_up),
		T(an_empty_ring_has_no_past),
		T(sixteen_generations_are_there_and_no_older_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
