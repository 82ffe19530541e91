/*
 * test_weight.c - the filters' gains, joining and leaving the hit list, decay
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "predictor/weight.h"

#define NEVER 65535u	/* a threshold that tests of filter (a) do not reach */

static _Atomic uint64_t word;
static struct cof_fold  f;

static int setup(void **state)
{
	(void)state;
	atomic_store(&word, 0);
	f = (struct cof_fold){ 0 };
	return 0;
}

/* What SAM does with n samples. */
static void sample(uint32_t n)
{
	atomic_fetch_add(&word, (uint64_t)n << 32);
}

/* One generation with `calls` samples. Returns the weight. */
static uint32_t generation(uint64_t number, uint32_t calls, uint32_t threshold)
{
	sample(calls);
	assert_true(cof_weight_fold(&word, number, threshold, true, &f));
	assert_int_equal(f.calls, calls);
	assert_int_equal(cof_word_read(&word).weight, f.weight);
	assert_int_equal(cof_word_read(&word).calls, 0);
	assert_int_equal(cof_word_read(&word).generation, number & 0xffff);
	assert_int_equal(!!(cof_word_read(&word).flags & COF_WORD_HIT),
			 f.is_hit);
	return f.weight;
}

static void below_the_threshold_the_gain_is_two(void **state)
{
	uint64_t g = 1;

	(void)state;
	assert_int_equal(generation(g++, 1000, NEVER), 1000);
	assert_int_equal(generation(g++, 1000, NEVER), 1500);
	assert_int_equal(generation(g++, 1000, NEVER), 1750);
	while (g < 30)
		generation(g++, 1000, NEVER);
	assert_int_equal(f.weight, 1999);	/* 2c - 1: Q cuts off */
	assert_false(f.is_hit);
}

static void in_the_hit_list_the_gain_is_one(void **state)
{
	uint64_t g = 1;

	(void)state;
	assert_int_equal(generation(g++, 1000, 100), 1000);
	assert_false(f.was_hit);
	assert_true(f.is_hit);
	while (g < 30)
		assert_int_equal(generation(g++, 1000, 100), 1000);
	assert_true(f.was_hit && f.is_hit);
	assert_int_equal(generation(g++, 0, 100), 500);
	assert_int_equal(generation(g++, 101, 100), 300);	/* 50 + 250 */
}

static void the_low_filter_saturates_at_16_bits(void **state)
{
	(void)state;
	assert_int_equal(generation(1, 65535, NEVER + 1), 65535);
	assert_int_equal(generation(2, 65535, NEVER + 1), 65535);
	assert_int_equal(generation(3, 0, NEVER + 1), 32767);
}

static void the_hit_filter_cannot_overflow(void **state)
{
	uint64_t g = 1;

	(void)state;
	generation(g++, 65535, 3);
	while (g < 30)
		assert_int_equal(generation(g++, 65535, 3), 65534);
}

static void a_version_joins_at_the_threshold_and_not_below(void **state)
{
	(void)state;
	generation(1, 9, 10);
	assert_false(f.is_hit);
	generation(2, 6, 10);		/* 6 + 9/2 */
	assert_int_equal(f.weight, 10);
	assert_true(f.is_hit);
}

static void without_space_in_the_list_no_version_joins(void **state)
{
	(void)state;
	sample(50);
	assert_true(cof_weight_fold(&word, 1, 10, false, &f));
	assert_int_equal(f.weight, 50);
	assert_false(f.is_hit);
	assert_false(cof_word_read(&word).flags & COF_WORD_HIT);
}

static void inherit(uint16_t weight, uint16_t as_of)
{
	atomic_store(&word, cof_word_pack((struct cof_word){
		.weight = weight, .generation = as_of,
	}));
}

static void an_inherited_weight_goes_on_with_gain_one(void **state)
{
	(void)state;
	generation(1, 100, 10);
	generation(2, 100, 10);
	/* P/O gives half of the weight to a version that is twice as fast. */
	inherit(50, 2);
	generation(3, 50, 10);
	assert_false(f.was_hit);
	assert_true(f.is_hit);
	assert_int_equal(f.weight, 50);
	assert_int_equal(f.climbed, 0);

	/* As in the hit list, it stays down to half of the threshold. */
	inherit(11, 3);
	generation(4, 2, 10);
	assert_int_equal(f.weight, 6);
	assert_true(f.is_hit);
}

static void a_version_leaves_below_half_of_the_threshold(void **state)
{
	(void)state;
	generation(1, 20, 10);
	assert_int_equal(generation(2, 0, 10), 10);
	assert_true(f.is_hit);
	assert_int_equal(generation(3, 0, 10), 5);
	assert_true(f.is_hit);
	assert_int_equal(generation(4, 0, 10), 2);
	assert_true(f.was_hit);
	assert_false(f.is_hit);
}

static void with_the_lowest_threshold_a_version_leaves_at_zero(void **state)
{
	(void)state;
	assert_int_equal(cof_weight_leave(1), 1);
	generation(1, 2, 1);
	assert_int_equal(generation(2, 0, 1), 1);
	assert_true(f.is_hit);
	assert_int_equal(generation(3, 0, 1), 0);
	assert_false(f.is_hit);
}

/* What weight.h proves, for as many thresholds as a test has time for. */
static void a_steady_version_that_joined_stays(void **state)
{
	for (uint32_t t = 2; t < 300; t++) {
		for (uint32_t c = 1; c < t + 2; c++) {
			bool joined = false;

			setup(state);
			for (uint64_t g = 1; g < 40; g++) {
				generation(g, c, t);
				assert_true(!joined || f.is_hit);
				joined = f.is_hit;
			}
			assert_int_equal(joined, 2 * c - 1 >= t);
		}
	}
}

static void missed_generations_halve_the_weight_each(void **state)
{
	(void)state;
	generation(1, 1000, NEVER);
	assert_int_equal(generation(2 + 3, 7, NEVER), 7 + 1000 / 16);
	generation(6, 40000, NEVER);
	assert_int_equal(generation(6 + 15, 1, NEVER), 1 + (40031 >> 15));
}

static void after_16_generations_nothing_is_left(void **state)
{
	(void)state;
	assert_int_equal(cof_weight_decay(65535, 15), 1);
	assert_int_equal(cof_weight_decay(65535, 16), 0);
	assert_int_equal(cof_weight_decay(65535, 65535), 0);
	generation(1, 65535, NEVER + 1);
	assert_int_equal(generation(17, 3, NEVER), 3);
}

static void the_generation_field_wraps(void **state)
{
	(void)state;
	generation(65534, 1000, NEVER);
	assert_int_equal(generation(65537, 0, NEVER), 1000 / 8);
}

static void a_second_fold_in_a_generation_only_adds(void **state)
{
	(void)state;
	generation(1, 10, NEVER);
	assert_int_equal(generation(1, 5, NEVER), 15);
}

static void buckets_are_powers_of_two(void **state)
{
	(void)state;
	assert_int_equal(cof_weight_bucket(0), 0);
	assert_int_equal(cof_weight_bucket(1), 1);
	assert_int_equal(cof_weight_bucket(2), 2);
	assert_int_equal(cof_weight_bucket(3), 2);
	assert_int_equal(cof_weight_bucket(4), 3);
	assert_int_equal(cof_weight_bucket(65535), 16);
}

static void climbing_is_counted_from_the_generation_before(void **state)
{
	(void)state;
	generation(1, 16, NEVER);
	assert_int_equal(f.climbed, 5);
	generation(2, 8, NEVER);		/* 16 again */
	assert_int_equal(f.climbed, 0);
	generation(3, 0, NEVER);		/* falls */
	assert_int_equal(f.climbed, 0);
	/* In generation 5 it was at 2, bucket 2; now 65, bucket 7. */
	generation(6, 64, NEVER);
	assert_int_equal(f.weight, 65);
	assert_int_equal(f.climbed, 5);
}

static void a_dead_version_is_left_as_it_is(void **state)
{
	uint64_t was;

	(void)state;
	generation(1, 50, 10);
	sample(3);
	cof_word_flags(&word, COF_WORD_DEAD, 0);
	was = word;
	assert_false(cof_weight_fold(&word, 2, 10, true, &f));
	assert_true(word == was);
}

static void the_flags_of_others_survive(void **state)
{
	(void)state;
	cof_word_flags(&word, COF_WORD_SETTLED | 0x100, 0);
	generation(1, 50, 10);
	assert_true(f.settled);
	assert_int_equal(cof_word_read(&word).flags,
			 COF_WORD_SETTLED | COF_WORD_HIT | 0x100);
	for (uint64_t g = 2; g < 9; g++)
		generation(g, 0, 10);
	assert_int_equal(cof_word_read(&word).flags, COF_WORD_SETTLED | 0x100);
}

#define SAMPLES 200000u

static void *be_sam(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint64_t was = atomic_load(&word);

		while ((was >> 32 & 0xffff) == 0xffff ||
		       !atomic_compare_exchange_weak(&word, &was,
						     was + ((uint64_t)1 << 32)))
			was = atomic_load(&word);
	}
	return NULL;
}

/* It sets the flag last, so the flag must be set at the end. */
static void *be_picker(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		cof_word_flags(&word, 0, COF_WORD_SETTLED);
		cof_word_flags(&word, COF_WORD_SETTLED, 0);
	}
	return NULL;
}

static void no_sample_and_no_flag_is_lost_between_three_threads(void **state)
{
	pthread_t sam, picker;
	uint64_t got = 0;

	(void)state;
	assert_int_equal(pthread_create(&sam, NULL, be_sam, NULL), 0);
	assert_int_equal(pthread_create(&picker, NULL, be_picker, NULL), 0);
	for (uint64_t g = 1; got < SAMPLES; g++) {
		assert_true(cof_weight_fold(&word, g, 10, true, &f));
		got += f.calls;
	}
	pthread_join(sam, NULL);
	pthread_join(picker, NULL);
	assert_int_equal(got, SAMPLES);
	assert_int_equal(cof_word_read(&word).calls, 0);
	assert_true(cof_word_read(&word).flags & COF_WORD_SETTLED);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(below_the_threshold_the_gain_is_two),
		T(in_the_hit_list_the_gain_is_one),
		T(the_low_filter_saturates_at_16_bits),
		T(the_hit_filter_cannot_overflow),
		T(a_version_joins_at_the_threshold_and_not_below),
		T(without_space_in_the_list_no_version_joins),
		T(an_inherited_weight_goes_on_with_gain_one),
		T(a_version_leaves_below_half_of_the_threshold),
		T(with_the_lowest_threshold_a_version_leaves_at_zero),
		T(a_steady_version_that_joined_stays),
		T(missed_generations_halve_the_weight_each),
		T(after_16_generations_nothing_is_left),
		T(the_generation_field_wraps),
		T(a_second_fold_in_a_generation_only_adds),
		T(buckets_are_powers_of_two),
		T(climbing_is_counted_from_the_generation_before),
		T(a_dead_version_is_left_as_it_is),
		T(the_flags_of_others_survive),
		T(no_sample_and_no_flag_is_lost_between_three_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
