/*
 * test_build_cpu_budget.c - builds get their share of CPU time, and no more
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "optimizer/build/build_cpu_budget.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

static void none_is_allowed_at_zero_percent(void **state)
{
	struct cof_build_cpu_budget a;

	(void)state;
	cof_build_cpu_budget_init(&a, 0, 5);
	assert_int_equal(cof_build_cpu_budget_wait(&a, 5), UINT64_MAX);
	assert_int_equal(cof_build_cpu_budget_wait(&a, UINT64_MAX), UINT64_MAX);
}

static void the_first_build_need_not_wait(void **state)
{
	struct cof_build_cpu_budget a;

	(void)state;
	cof_build_cpu_budget_init(&a, 1, 12345);
	assert_int_equal(cof_build_cpu_budget_wait(&a, 12345), 0);
}

static void debt_is_waited_out_to_the_nanosecond(void **state)
{
	struct cof_build_cpu_budget a;
	uint64_t wait;

	(void)state;
	cof_build_cpu_budget_init(&a, 10, 0);
	cof_build_cpu_budget_spend(&a, 100 * MS); /* the burst at 10 % */
	assert_int_equal(cof_build_cpu_budget_wait(&a, 0), 0);
	cof_build_cpu_budget_spend(&a, 30 * MS + 1);
	wait = cof_build_cpu_budget_wait(&a, 0);
	assert_int_equal(wait, 300 * MS + 10);
	assert_true(cof_build_cpu_budget_wait(&a, wait - 10) > 0);
	assert_int_equal(cof_build_cpu_budget_wait(&a, wait), 0);
}

static void what_is_saved_up_is_bounded(void **state)
{
	struct cof_build_cpu_budget a;

	(void)state;
	cof_build_cpu_budget_init(&a, 50, 0);
	assert_int_equal(cof_build_cpu_budget_wait(&a, 1000000 * SECOND), 0);
	cof_build_cpu_budget_spend(&a, COF_BUILD_CPU_BUDGET_BURST_NS / 2 + 1);
	assert_true(cof_build_cpu_budget_wait(&a, 1000000 * SECOND) > 0);
}

/* Builds of 3 ms and 170 ms in turn, each as soon as it may. */
static double share(uint32_t pct)
{
	struct cof_build_cpu_budget a;
	uint64_t now = 0, spent = 0;

	cof_build_cpu_budget_init(&a, pct, now);
	for (int i = 0; now < 1000 * SECOND; i++) {
		uint64_t wait = cof_build_cpu_budget_wait(&a, now);
		uint64_t cpu = i % 2 ? 3 * MS : 170 * MS;

		now += wait;
		assert_int_equal(cof_build_cpu_budget_wait(&a, now), 0);
		cof_build_cpu_budget_spend(&a, cpu);
		spent += cpu;
		if (pct >= 100)
			now += cpu * 100 / 6400;	/* 64 workers at once */
	}
	return 100 * (double)spent / (double)now;
}

static void over_time_builds_get_their_percentage(void **state)
{
	static const uint32_t pct[] = { 1, 3, 10, 50, 100, 250, 6300 };

	(void)state;
	for (unsigned i = 0; i < sizeof(pct) / sizeof(*pct); i++) {
		double got = share(pct[i]);

		assert_true(got > pct[i] * 0.99 && got < pct[i] * 1.02);
	}
}

static void a_clock_that_stands_or_jumps_does_no_harm(void **state)
{
	struct cof_build_cpu_budget a;

	(void)state;
	cof_build_cpu_budget_init(&a, 6400, 100 * SECOND);
	assert_int_equal(cof_build_cpu_budget_wait(&a, 0), 0);
	assert_int_equal(cof_build_cpu_budget_wait(&a, UINT64_MAX), 0);
	cof_build_cpu_budget_init(&a, 6400, 0);
	for (int i = 0; i < 100; i++)
		cof_build_cpu_budget_spend(&a, UINT64_MAX);
	assert_true(cof_build_cpu_budget_wait(&a, 0) > 0);
	assert_true(cof_build_cpu_budget_wait(&a, 0) < UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_allowed_at_zero_percent),
		cmocka_unit_test(the_first_build_need_not_wait),
		cmocka_unit_test(debt_is_waited_out_to_the_nanosecond),
		cmocka_unit_test(what_is_saved_up_is_bounded),
		cmocka_unit_test(over_time_builds_get_their_percentage),
		cmocka_unit_test(a_clock_that_stands_or_jumps_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
