/*
 * test_sampling_noise.c - draws from one distribution are alike on the average
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/random.h"
#include "measure/sampling_noise.h"
#include "options/tuning.h"

#define CELLS  8u
#define ROUNDS 2000u

static uint64_t seed = 1;

/* The shares of n samples, cell k with probability (k + 1) / 36. */
static void draw(double *share, uint32_t n)
{
	for (uint32_t k = 0; k < CELLS; k++)
		share[k] = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = (uint32_t)(cof_random_next(&seed) % 36), k = 0;

		while (at > k)
			at -= ++k;
		share[k] += 1.0 / n;
	}
}

static double mean_of(uint32_t n, uint32_t m)
{
	double sum = 0;

	for (uint32_t r = 0; r < ROUNDS; r++) {
		double a[CELLS], b[CELLS], overlap = 0, lost = 0;

		draw(a, n);
		draw(b, m);
		for (uint32_t k = 0; k < CELLS; k++) {
			overlap += fmin(a[k], b[k]);
			lost += cof_sampling_noise_loss((k + 1) / 36.0,
							1.0 / n + 1.0 / m);
		}
		sum += cof_sampling_noise_correct(overlap, lost);
	}
	return sum / ROUNDS;
}

/* Shares are sums of rounded ones. */
static void a_share_beyond_one_is_one(void **state)
{
	(void)state;
	assert_true(cof_sampling_noise_loss(1 + 1e-7, 0.1) == 0);
	assert_true(cof_sampling_noise_loss(-1e-7, 0.1) == 0);
	assert_true(cof_sampling_noise_loss(0.5, 0.1) > 0);
}

static void draws_are_alike(void **state)
{
	(void)state;
	assert_true(fabs(mean_of(24, 24) - 1) < 0.03);
	assert_true(fabs(mean_of(32, 200) - 1) < 0.03);
	assert_true(fabs(mean_of(1000, 1000) - 1) < 0.03);
}

static void certain_cells_lose_nothing(void **state)
{
	(void)state;
	assert_true(cof_sampling_noise_loss(0, 0.1) == 0);
	assert_true(cof_sampling_noise_loss(1, 0.1) == 0);
	assert_true(cof_sampling_noise_correct(0.5, 0) == 0.5);
}

static void what_is_all_noise_is_raised_up_to_a_bound(void **state)
{
	(void)state;
	assert_true(cof_sampling_noise_correct(0.3, 2) ==
		    0.3 / COF_TUNE(noise_expected_least));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_beyond_one_is_one),
		cmocka_unit_test(draws_are_alike),
		cmocka_unit_test(certain_cells_lose_nothing),
		cmocka_unit_test(what_is_all_noise_is_raised_up_to_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
