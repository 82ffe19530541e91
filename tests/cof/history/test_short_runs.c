/*
 * test_short_runs.c - runs that are over before their builds can repay
 */
#include "after_runs.h"

static void short_runs_turn_it_off_until_one_is_longer(void **state)
{
	(void)state;
	assert_int_equal(after("s"), COF_HISTORY_FULL);
	assert_int_equal(after("ss"), COF_HISTORY_SHORT);
	assert_int_equal(after("oosss"), COF_HISTORY_SHORT);
	assert_int_equal(after("loosss"), COF_HISTORY_FULL);
	assert_int_equal(after("ooooloosss"), COF_HISTORY_SHORT);
}

/* Versions cached in earlier runs are installed at once. These runs may be
 * short because of that. */
static void short_runs_that_gained_keep_it_on(void **state)
{
	struct cof_history_run run[3];
	struct cof_history_past past = { .run = run, .n_runs = 3 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		run[i] = history_run(i);
		run[i].cpu_ns = SECOND * 9 / 10;
		run[i].measured_ns = 0;
		run[i].untried_ns = SECOND / 10;
	}
	assert_int_equal(decide(&past), COF_HISTORY_SHORT);
	run[1].measured_ns = SECOND / 10;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_int_equal(evidence.repaid, 1);
}

/* What one left is built after it, and used in the next. */
static void where_runs_are_finished_short_ones_have_longer(void **state)
{
	(void)state;
	rules.short_loops = 5;
	assert_int_equal(after("ss"), COF_HISTORY_FULL);
	assert_int_equal(after("ssss"), COF_HISTORY_FULL);
	assert_int_equal(after("sssss"), COF_HISTORY_SHORT);
	assert_int_equal(after("ooosssss"), COF_HISTORY_SHORT);
	rules.short_loops = 0;
}

/* No trial came to an end, but the runs as a whole are shorter. */
static void short_runs_that_are_faster_than_those_without_keep_it_on(
	void **state)
{
	static const int64_t took[] = { 700, 690, 710, 950, 1000 };
	struct cof_history_run run[5];
	struct cof_history_past past = { .run = run, .n_runs = 5 };

	(void)state;
	for (int i = 0; i < 5; i++) {
		run[i] = history_run(i);
		run[i].cpu_ns = took[i] * SECOND / 1001;
		run[i].own_ns = run[i].build_ns = run[i].paid_ns = 0;
		run[i].measured_ns = run[i].untried_ns = 0;
	}
	run[4].verdict = COF_HISTORY_FIRST;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	assert_true(cof_history_runs_gained(&evidence));
	/* The first was as fast. */
	run[4].cpu_ns = run[0].cpu_ns;
	assert_int_equal(decide(&past), COF_HISTORY_SHORT);
	assert_false(cof_history_runs_gained(&evidence));
	/* One that was off was not. */
	run[3].loop = false;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
	/* What was killed shows nothing. */
	run[3].ended = false;
	assert_int_equal(decide(&past), COF_HISTORY_SHORT);
	/* What takes so much longer does something else. */
	run[3].ended = true;
	run[3].cpu_ns = SECOND * 2;
	assert_false(cof_history_runs_gained(&evidence));
	/* What they cost counts. */
	run[3].cpu_ns = 950 * SECOND / 1001;
	for (int i = 0; i < 3; i++)
		run[i].paid_ns = SECOND / 4;
	assert_int_equal(decide(&past), COF_HISTORY_SHORT);
}

/* It may have been slow since it was the first. */
static void the_run_that_knew_nothing_does_not_count_for_long(void **state)
{
	struct cof_history_run run[12];
	struct cof_history_past past = { .run = run };

	(void)state;
	for (int i = 0; i < 12; i++) {
		run[i] = history_run(i);
		run[i].cpu_ns = 700 * SECOND / 1000;
		run[i].own_ns = run[i].build_ns = run[i].paid_ns = 0;
		run[i].measured_ns = run[i].untried_ns = 0;
	}
	run[11].verdict = COF_HISTORY_FIRST;
	run[11].cpu_ns = 900 * SECOND / 1000;
	past.n_runs = 12;
	assert_int_equal(decide(&past), COF_HISTORY_SHORT);
	/* The newest of those. */
	run[6] = run[11];
	past.n_runs = 7;
	assert_int_equal(decide(&past), COF_HISTORY_FULL);
}

static void a_short_run_says_nothing_about_gains(void **state)
{
	(void)state;
	assert_int_equal(after("sns"), COF_HISTORY_FULL);
	assert_int_equal(evidence.judged, 1);
	assert_int_equal(after("snsn"), COF_HISTORY_NO_GAIN);
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(short_runs_turn_it_off_until_one_is_longer),
		T(short_runs_that_gained_keep_it_on),
		T(where_runs_are_finished_short_ones_have_longer),
		T(short_runs_that_are_faster_than_those_without_keep_it_on),
		T(the_run_that_knew_nothing_does_not_count_for_long),
		T(a_short_run_says_nothing_about_gains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
