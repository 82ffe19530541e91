/*
 * test_pgo.c - mode pgo: each method counts at first, and is built once more
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support/libcof_threads.h"
#include "profiling.h"

static void pgo_builds_each_method_once_more(void **state)
{
	(void)state;
	start("mode=pgo,workers=1");
	assert_null(toy.cof->predictor);
	expect_libcof_threads(3);	/* P/O, a worker, cof-files */
	call_all();
	WAIT(flow()->counting == N);
	fill_all(N);
	WAIT(flow()->built == N);
	call_all();
	for (int i = 0; i < N; i++) {
		WAIT(plan(i) == COF_PLAN_PROFILE);
		assert_int_equal(counter[i].instrumented, 1);
		assert_int_equal(counter[i].in_unit + counter[i].built, 1);
	}
	/* It is forgotten: later versions are up to the host. */
	host.first_call(&toy, &counter[0].m);
	WAIT(toy.cof->flow->reclaim.retired == 2 * N + 1);
	assert_int_equal(plan(0), COF_PLAN_NONE);
	assert_int_equal(flow()->picked, N);
	assert_int_equal(toy.cof->flow->optimizer.just_compiled, N);
	finish();
}

static void pgo_forgets_what_is_not_called_again(void **state)
{
	(void)state;
	begin("mode=pgo,profile_generations=4");
	WAIT(flow()->drop_EMPTY == N);
	for (int i = 0; i < N; i++)
		assert_int_equal(seen(i).number, 0);
	WAIT(toy.cof->flow->reclaim.retired == N);
	finish();
}

static int no_gain(void *ctx, void *method, enum cof_plan now, enum cof_plan p,
		   struct cof_estimate *out)
{
	(void)ctx, (void)method, (void)now, (void)p;
	out->speedup = 1;
	return 0;
}

static void pgo_leaves_alone_what_cannot_gain(void **state)
{
	(void)state;
	host.estimate = no_gain;
	begin("mode=pgo");
	WAIT(toy.cof->flow->optimizer.drop_NO_ESTIMATE == N);
	finish();
}

static void pgo_with_a_host_that_cannot_does_nothing(void **state)
{
	(void)state;
	host = toy_host(&toy);
	begin("mode=pgo");
	assert_int_equal(toy.cof->flow->optimizer.just_compiled, 0);
	finish();
}

/* It never sleeps: only its own handler can tell that it is in no old code. */
static void pgo_frees_code_under_a_thread_that_runs(void **state)
{
	struct patience p = patience_begin();

	(void)state;
	begin("mode=pgo");
	fill_all(N);
	while (toy.cof->flow->reclaim.freed < N &&
	       !patience_is_over(&p))
		for (int i = 0; i < 100; i++)
			call_all();
	assert_true(toy.cof->flow->reclaim.freed >= N);
	assert_int_equal(toy.cof->flow->threads.unsampled, 0);
	finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(pgo_builds_each_method_once_more),
		T(pgo_forgets_what_is_not_called_again),
		T(pgo_leaves_alone_what_cannot_gain),
		T(pgo_with_a_host_that_cannot_does_nothing),
		T(pgo_frees_code_under_a_thread_that_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
