/*
 * test_machine_load.c - a build's weight follows the cores that are free
 */
#include "optimizer/facts/machine_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "options/tuning.h"

#define SECOND 1000000000u

static const struct cof_machine_load_sample then;

static int near(double got, double want)
{
	return got > want - 1e-9 && got < want + 1e-9;
}

static double weight(double idle, double used, double builds, double quota)
{
	struct cof_machine_load_sample now = {
		.wall_ns = SECOND,
		.idle_ns = (uint64_t)(idle * SECOND),
		.used_ns = (uint64_t)(used * SECOND),
		.build_ns = (uint64_t)(builds * SECOND),
		.quota = quota,
	};

	return cof_machine_load_weight(&then, &now);
}

static void an_idle_core_makes_builds_nearly_free(void **state)
{
	(void)state;
	assert_true(near(weight(1, 1, 0, 0), COF_TUNE(load_floor)));
	assert_true(near(weight(5, 1, 0, 0), COF_TUNE(load_floor)));
}

static void without_an_idle_core_the_program_pays_in_full(void **state)
{
	(void)state;
	assert_true(near(weight(0, 2, 0, 0), 1));
}

static void what_builds_used_themselves_counts_as_free(void **state)
{
	(void)state;
	assert_true(near(weight(0, 2, 1, 0), COF_TUNE(load_floor)));
}

static void half_a_core_is_halfway(void **state)
{
	(void)state;
	assert_true(near(weight(0.5, 1.5, 0, 0),
			 1 - (1 - COF_TUNE(load_floor)) / 2));
}

static void a_quota_that_is_used_up_leaves_no_core_free(void **state)
{
	(void)state;
	assert_true(near(weight(3, 1, 0, 1), 1));
	assert_true(near(weight(3, 1.5, 0, 1), 1));
	assert_true(near(weight(3, 1, 0, 4), COF_TUNE(load_floor)));
}

/* A core was taken away, and the kernel's idle time with it. */
static void less_idle_time_than_before_is_none(void **state)
{
	const struct cof_machine_load_sample before = { .idle_ns = 1000 };
	const struct cof_machine_load_sample now = { .wall_ns = 1000000000 };

	(void)state;
	assert_true(near(cof_machine_load_weight(&before, &now), 1));
}

static void no_time_between_two_looks_says_nothing(void **state)
{
	(void)state;
	assert_true(near(cof_machine_load_weight(&then, &then), 1));
}

static void at_first_what_runs_now_decides(void **state)
{
	(void)state;
	assert_true(near(cof_machine_load_weight_now(1, 2, 0),
			 COF_TUNE(load_floor)));
	assert_true(near(cof_machine_load_weight_now(1, 1, 0), 1));
	assert_true(near(cof_machine_load_weight_now(2, 2, 0), 1));
	assert_true(near(cof_machine_load_weight_now(9, 2, 0), 1));
	assert_true(near(cof_machine_load_weight_now(0, 8, 0),
			 COF_TUNE(load_floor)));
	assert_true(near(cof_machine_load_weight_now(1, 8, 1), 1));
	assert_true(near(cof_machine_load_weight_now(1, 8, 1.5),
			 1 - (1 - COF_TUNE(load_floor)) / 2));
}

static void the_system_can_be_read(void **state)
{
	struct cof_machine_load_sample s;

	(void)state;
	cof_machine_load_read(&s, 7);
	assert_true(s.wall_ns > 0);
	assert_true(s.idle_ns > 0);
	assert_int_equal(s.build_ns, 7);
	assert_true(s.quota >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_core_makes_builds_nearly_free),
		cmocka_unit_test(without_an_idle_core_the_program_pays_in_full),
		cmocka_unit_test(what_builds_used_themselves_counts_as_free),
		cmocka_unit_test(half_a_core_is_halfway),
		cmocka_unit_test(a_quota_that_is_used_up_leaves_no_core_free),
		cmocka_unit_test(less_idle_time_than_before_is_none),
		cmocka_unit_test(no_time_between_two_looks_says_nothing),
		cmocka_unit_test(at_first_what_runs_now_decides),
		cmocka_unit_test(the_system_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
