/*
 * test_build_budget.c - builds wait for the CPU time that build_pct allows
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define TOY_RUN_STEPPED
#include "tests/cof/optimizer/gated.h"

#define MS UINT64_C(1000000)

static int burn(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		struct cof_version_desc *out)
{
	stepped_work(40 * MS);
	return toy_build(ctx, ir, plan, stop, out);
}

static void builds_wait_for_their_cpu_budget(void **state)
{
	uint64_t from_ns;

	(void)state;
	host.build = burn;
	start("build_pct=1,workers=1");
	from_ns = stepped.now_ns;
	forecast(0, 1000);
	forecast(1, 1000);
	stepped_until(flow()->built == 1);
	assert_true(stepped.now_ns - from_ns < 10 * MS);
	/* 10 ms are there at first; the debt of 30 takes 3 s to pay. */
	stepped_until(flow()->built == 2);
	assert_in_range(stepped.now_ns - from_ns, 3000 * MS, 3010 * MS);
	assert_in_range(flow()->waited_ns, 2990 * MS, 3000 * MS);
	assert_int_equal(flow()->build_ns, 80 * MS);
	toy_run_finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			builds_wait_for_their_cpu_budget, setup,
			toy_run_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
