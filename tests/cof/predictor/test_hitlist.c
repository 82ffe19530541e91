/*
 * test_hitlist.c - versions join and leave, and the array grows when full
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/version.h"
#include "predictor/hitlist.h"

#define MANY 1000u

static struct cof_version v[MANY];
static struct cof_hitlist hits;

static int setup(void **state)
{
	(void)state;
	hits = (struct cof_hitlist){ 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_hitlist_free(&hits);
	assert_null(hits.at);
	return 0;
}

static void add(struct cof_version *version)
{
	assert_true(cof_hitlist_reserve(&hits));
	cof_hitlist_add(&hits, version);
}

static int times_in(const struct cof_version *version)
{
	int n = 0;

	for (uint32_t i = 0; i < hits.n; i++)
		n += hits.at[i] == version;
	return n;
}

static void it_grows_and_keeps_all(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		add(&v[i]);
	assert_int_equal(hits.n, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(times_in(&v[i]), 1);
}

static void the_array_grows_only_when_it_is_full(void **state)
{
	uint32_t capacity;

	(void)state;
	add(&v[0]);
	assert_true(cof_hitlist_reserve(&hits));
	capacity = hits.capacity;
	assert_true(cof_hitlist_reserve(&hits));
	assert_int_equal(hits.capacity, capacity);
}

static void removing_keeps_the_others(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		add(&v[i]);
	cof_hitlist_remove(&hits, 1);
	assert_int_equal(hits.n, 3);
	assert_int_equal(times_in(&v[0]), 1);
	assert_int_equal(times_in(&v[1]), 0);
	assert_int_equal(times_in(&v[2]), 1);
	assert_int_equal(times_in(&v[3]), 1);
}

static void the_last_and_the_only_one_can_be_removed(void **state)
{
	(void)state;
	add(&v[0]);
	add(&v[1]);
	cof_hitlist_remove(&hits, 1);
	assert_int_equal(times_in(&v[0]), 1);
	cof_hitlist_remove(&hits, 0);
	assert_int_equal(hits.n, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_grows_and_keeps_all),
		T(the_array_grows_only_when_it_is_full),
		T(removing_keeps_the_others),
		T(the_last_and_the_only_one_can_be_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
