/*
 * test_predictor_replay.c - run PRE by the scripts of tests/data
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "script.h"

static void one_phase_is_one_phase(void **state)
{
	(void)state;
	script_replay("steady.txt");
}

static void a_switch_is_a_phase_change(void **state)
{
	(void)state;
	script_replay("switch.txt");
}

static void a_settled_top_ten_does_not_starve_number_eleven(void **state)
{
	(void)state;
	script_replay("starve.txt");
}

static void a_recompile_is_no_phase_change(void **state)
{
	(void)state;
	script_replay("recompile.txt");
}

static void sleep_is_no_phase_change(void **state)
{
	(void)state;
	script_replay("idle.txt");
}

static void a_slow_drift_is_no_phase_change(void **state)
{
	(void)state;
	script_replay("drift.txt");
}

static void below_the_threshold_only_climbers_are_picked(void **state)
{
	(void)state;
	script_replay("low.txt");
}

static void a_phase_that_returns_is_recognized(void **state)
{
	(void)state;
	script_replay("return.txt");
}

static void one_noisy_generation_makes_no_phase(void **state)
{
	(void)state;
	script_replay("garbage.txt");
}

static void phases_are_seen_where_no_method_is_a_hit(void **state)
{
	(void)state;
	script_replay("few.txt");
}

static void a_change_within_one_method_is_a_phase(void **state)
{
	(void)state;
	script_replay("within.txt");
}

static void few_samples_at_random_are_no_phase_changes(void **state)
{
	(void)state;
	script_replay("noise.txt");
}

static void phases_wander_without_being_left(void **state)
{
	(void)state;
	script_replay("wander.txt");
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, script_setup, script_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(one_phase_is_one_phase),
		T(a_switch_is_a_phase_change),
		T(a_settled_top_ten_does_not_starve_number_eleven),
		T(a_recompile_is_no_phase_change),
		T(sleep_is_no_phase_change),
		T(a_slow_drift_is_no_phase_change),
		T(below_the_threshold_only_climbers_are_picked),
		T(a_phase_that_returns_is_recognized),
		T(one_noisy_generation_makes_no_phase),
		T(a_change_within_one_method_is_a_phase),
		T(phases_are_seen_where_no_method_is_a_hit),
		T(few_samples_at_random_are_no_phase_changes),
		T(phases_wander_without_being_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
