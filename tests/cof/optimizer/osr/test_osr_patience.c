/*
 * test_osr_patience.c - when a continuation is worth asking for
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/osr/osr_patience.h"
#include "options/tuning.h"

#define NEED 3

/* Frames in a replaced version, after one generation. */
static struct cof_osr_wait wait_with(uint64_t late, uint64_t entered)
{
	return (struct cof_osr_wait){
		.generations = 1, .need = NEED, .late = late,
		.entered = entered,
	};
}

static uint64_t enough(void)
{
	return (uint64_t)COF_TUNE(osr_few_part) * COF_TUNE(osr_patient);
}

static uint32_t waits(struct cof_osr_wait w)
{
	for (w.generations = 0; w.generations < 1000; w.generations++)
		if (cof_osr_patience_ends(&w))
			return w.generations;
	return UINT32_MAX;
}

static void a_frame_may_return_first(void **state)
{
	(void)state;
	assert_int_equal(waits(wait_with(10, 0)), NEED);
	assert_int_equal(waits(wait_with(1000, 1000)), NEED);
}

static void a_host_that_was_asked_is_left_alone_for_longer(void **state)
{
	struct cof_osr_wait w = wait_with(1000, 0);

	(void)state;
	w.again = true;
	assert_int_equal(waits(w), NEED * COF_TUNE(osr_patient));
}

static void where_no_frame_came_the_wait_doubles(void **state)
{
	struct cof_osr_wait w = wait_with(1000, 0);
	uint32_t before = waits(w);

	(void)state;
	for (w.not_now = 1; w.not_now < 4; w.not_now++) {
		assert_int_equal(waits(w), 2 * before);
		before = waits(w);
	}
	w.not_now = UINT32_MAX;
	assert_true(waits(w) < 1000);
}

static void a_frame_that_no_call_follows_stays(void **state)
{
	(void)state;
	assert_int_equal(waits(wait_with(enough(), 0)), 1);
	assert_int_equal(waits(wait_with(enough() - 1, 0)), NEED);
	assert_int_equal(waits(wait_with(enough(), enough())), NEED);
}

static void a_trial_that_calls_come_to_goes_on(void **state)
{
	struct cof_osr_wait w = wait_with(1000, 1000);

	(void)state;
	w.on_trial = true;
	assert_int_equal(waits(w), UINT32_MAX);
}

static void a_trial_of_a_few_samples_tells_nothing(void **state)
{
	struct cof_osr_wait w = wait_with(enough() - 1, 0);

	(void)state;
	w.on_trial = true;
	assert_int_equal(waits(w), UINT32_MAX);
	w.late++;
	assert_int_equal(waits(w), 1);
}

/* The frame's first entry may have been seen in the new version. */
static void one_call_among_many_samples_is_none(void **state)
{
	struct cof_osr_wait w = wait_with(enough(), 1);

	(void)state;
	w.on_trial = true;
	assert_int_equal(waits(w), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_may_return_first),
		cmocka_unit_test(
			a_host_that_was_asked_is_left_alone_for_longer),
		cmocka_unit_test(where_no_frame_came_the_wait_doubles),
		cmocka_unit_test(a_frame_that_no_call_follows_stays),
		cmocka_unit_test(a_trial_that_calls_come_to_goes_on),
		cmocka_unit_test(a_trial_of_a_few_samples_tells_nothing),
		cmocka_unit_test(one_call_among_many_samples_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
