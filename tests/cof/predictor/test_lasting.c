/*
 * test_lasting.c - versions with the most samples ever are forecast
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "generation.h"

/* A flat profile: none is heavy, and after the first generation none climbs. */
static void flat_generation(uint32_t n, uint64_t samples_ever)
{
	for (uint32_t i = 0; i < n; i++) {
		sample(i, 1);
		v[i].sampled.total = samples_ever + n - i;
	}
	go();
}

static void the_lasting_are_forecast_though_they_are_not_hot(void **state)
{
	(void)state;
	flat_generation(30, 0);
	flat_generation(30, 0);
	flat_generation(30, 100);
	assert_int_equal(gen.heavy.n, 0);
	assert_int_equal(gen.n_forecasts, 10);
	for (uint32_t i = 0; i < 10; i++) {
		assert_int_equal(gen.forecast[i].list, COF_LIST_LASTING);
		assert_ptr_equal(gen.forecast[i].version, &v[i]);
		assert_int_equal(gen.forecast[i].slot, i);
	}
	assert_int_equal(gen.candidates, 10);
}

static void the_lasting_that_settled_give_way(void **state)
{
	(void)state;
	cof_word_flags(&v[0].word, COF_WORD_SETTLED, 0);
	flat_generation(12, 0);
	flat_generation(12, 0);
	flat_generation(12, 100);
	assert_int_equal(gen.n_forecasts, 10);
	assert_ptr_equal(gen.forecast[0].version, &v[1]);
	assert_ptr_equal(gen.forecast[9].version, &v[10]);
}

static void a_few_samples_do_not_last(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		flat_generation(3, 0);	/* 3, 2 and 1 samples ever */
	assert_int_equal(gen.n_forecasts, 0);
	assert_int_equal(gen.candidates, 0);
}

static void a_heavy_and_lasting_version_is_forecast_once(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 6; i++)
		v[i].sampled.total = 1000;
	go_steady(6);
	assert_int_equal(gen.n_forecasts, 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(gen.forecast[i].list, COF_LIST_HEAVY);
	assert_int_equal(gen.candidates, 6);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_lasting_are_forecast_though_they_are_not_hot),
		T(the_lasting_that_settled_give_way),
		T(a_few_samples_do_not_last),
		T(a_heavy_and_lasting_version_is_forecast_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
