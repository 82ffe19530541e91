/*
 * test_pipeline.c - the whole loop with threads: from samples to freed code
 *
 * Each answer of a toy method names the version that gave it, so these tests
 * see that new code ran, and not only that it was built. test_stepped_loop.c
 * tests without threads what must not happen, and how soon things happen.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "tests/support/toy_run.h"
#include "tests/support/valgrind.h"

#define OPTIONS "mode=co,stats=none,generation_ms=40,drain_ms=5,reclaim_ms=5," \
		"budget_permille=0,"

static long expected(const struct toy_method *m, long x)
{
	if (m->callee)
		x = expected(m->callee, x);
	return x + (long)m->turns * m->step;
}

/* Call it until the version that answers has `plan`. Checks every answer. */
static struct toy_answer run_until(const struct toy_method *m,
				   enum cof_plan plan)
{
	struct patience p = patience_begin();
	struct toy_answer a;
	long x = 0;

	do {
		a = toy_call(m, x);
		assert_int_equal(a.value, expected(m, x));
		x++;
		if (patience_is_over(&p)) {
			show_flow(toy.cof->flow);
			fail_msg("%s still runs plan %d", m->name,
				 (int)(a.version & 3));
		}
	} while ((a.version & 3) != plan);
	return a;
}

static void a_hot_method_gets_its_best_version(void **state)
{
	struct toy_method hot = { .name = "hot", .turns = 64000, .step = 3 };

	(void)state;
	toy_run_start(OPTIONS, "");
	assert_int_equal(toy_add(&toy, &hot), 0);
	run_until(&hot, COF_PLAN_SPEED);
	/* P/O may note the patch only after the version ran. */
	wait_until(toy.cof->flow->optimizer.first_patch_ns > 0, toy.cof->flow);
	toy_run_finish();
}

static int (*toy_estimate)(void *ctx, void *method, enum cof_plan now,
			   enum cof_plan plan, struct cof_estimate *out);

/* Callers have no plan: a sample that falls in one rebuilds nothing. */
static int leaves_only(void *ctx, void *method, enum cof_plan now,
		       enum cof_plan plan, struct cof_estimate *out)
{
	if (((const struct toy_method *)method)->callee)
		return 1;
	return toy_estimate(ctx, method, now, plan, out);
}

static void callers_reach_the_new_version_without_being_rebuilt(void **state)
{
	struct toy_method leaf = { .name = "leaf", .turns = 64000, .step = 1 };
	struct toy_method outer = { .name = "outer", .turns = 64, .step = 2,
				    .callee = &leaf };
	struct patience p;

	(void)state;
	skip_under_valgrind();	/* running */
	toy_estimate = host.estimate;
	host.estimate = leaves_only;
	toy_run_start(OPTIONS, "");
	assert_int_equal(toy_add(&toy, &leaf), 0);
	assert_int_equal(toy_add(&toy, &outer), 0);
	p = patience_begin();
	/* Freed code is full of traps: a call into it would fault. */
	while (toy.cof->flow->reclaim.freed == 0) {
		assert_int_equal(toy_call(&outer, 7).value,
				 expected(&outer, 7));
		assert_false(patience_is_over(&p));
	}
	assert_int_equal(toy_call(&outer, 7).value, expected(&outer, 7));
	assert_int_not_equal(toy_call(&leaf, 7).version & 3, COF_PLAN_NONE);
	assert_int_equal(toy_call(&outer, 7).version & 3, COF_PLAN_NONE);
	assert_true(toy.cof->flow->patcher.site_writes > 0);
	toy_run_finish();
}

static void replaced_code_is_freed_while_it_runs(void **state)
{
	struct toy_method hot = { .name = "hot", .turns = 64000, .step = 3 };
	struct patience p;

	(void)state;
	skip_under_valgrind();	/* running */
	toy_run_start(OPTIONS, "");
	assert_int_equal(toy_add(&toy, &hot), 0);
	run_until(&hot, COF_PLAN_SPEED);
	p = patience_begin();
	while (toy.cof->flow->reclaim.freed == 0 ||
	       toy.cof->flow->reclaim.waiting > 0) {
		assert_int_equal(toy_call(&hot, 1).value, expected(&hot, 1));
		if (patience_is_over(&p)) {
			show_flow(toy.cof->flow);
			fail();
		}
	}
	assert_int_equal(toy.discarded + 1, toy.versions);
	toy_run_finish();
}

static void a_program_that_changes_phase_is_followed(void **state)
{
	struct toy_method first = { .name = "first", .turns = 64000,
				    .step = 1 };
	struct toy_method then = { .name = "then", .turns = 64000, .step = 2 };

	(void)state;
	toy_run_start(OPTIONS, "");
	assert_int_equal(toy_add(&toy, &first), 0);
	assert_int_equal(toy_add(&toy, &then), 0);
	run_until(&first, COF_PLAN_SPEED);
	run_until(&then, COF_PLAN_SPEED);
	toy_run_finish();
}

struct guest {
	pthread_t          thread;
	struct toy_method *m;
};

static void *guest_main(void *arg)
{
	struct guest *g = arg;
	struct patience p = patience_begin();
	struct toy_answer a;
	void *wrong = NULL;

	if (cof_thread_attach(toy.cof, NULL, NULL) != 0)
		return g;
	do {
		a = toy_call(g->m, 4);
		if (a.value != expected(g->m, 4) ||
		    patience_is_over(&p))
			wrong = g;
	} while (!wrong && (a.version & 3) != COF_PLAN_SPEED);
	cof_thread_detach(toy.cof);
	return wrong;
}

static void many_threads_share_one_loop(void **state)
{
	struct toy_method m[4];
	struct guest guest[4];
	void *wrong[4];

	(void)state;
	toy_run_start(OPTIONS, "workers=2");
	for (int i = 0; i < 4; i++) {
		m[i] = (struct toy_method){ .name = "m", .turns = 64000,
					    .step = i };
		assert_int_equal(toy_add(&toy, &m[i]), 0);
		guest[i].m = &m[i / 2];
	}
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&guest[i].thread, NULL,
						guest_main, &guest[i]), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(guest[i].thread, &wrong[i]), 0);
	for (int i = 0; i < 4; i++)
		assert_null(wrong[i]);
	toy_run_finish();
}

static int fewer_plans(void *ctx, void *method, enum cof_plan now,
		       enum cof_plan plan, struct cof_estimate *out)
{
	(void)ctx, (void)method;
	if (plan != COF_PLAN_STATIC)
		return 1;
	out->speedup = 4;
	out->cost_ns = 1000;
	return now >= plan;
}

static void call_until(const struct toy_method *m, cof_count *count, uint64_t n)
{
	struct patience p = patience_begin();

	while (cof_count_get(count) < n) {
		assert_int_equal(toy_call(m, 1).value, expected(m, 1));
		assert_false(patience_is_over(&p));
	}
}

static void a_host_with_one_plan_gets_that_and_is_left_alone(void **state)
{
	struct toy_method hot = { .name = "hot", .turns = 64000, .step = 3 };

	(void)state;
	host.estimate = fewer_plans;
	toy_run_start(OPTIONS, "backoff_generations=60000");
	assert_int_equal(toy_add(&toy, &hot), 0);
	run_until(&hot, COF_PLAN_STATIC);
	/* P/O asks once more and marks the method settled; then PRE drops it.
	 * If the build took long, PRE dropped the version before as well. */
	call_until(&hot, &toy.cof->flow->optimizer.drop_NO_ESTIMATE, 1);
	call_until(&hot, &toy.cof->flow->predictor.drop_SETTLED,
		   toy.cof->flow->predictor.drop_SETTLED + 1);
	assert_int_equal(toy.cof->flow->optimizer.drop_NO_ESTIMATE, 1);
	assert_int_equal(toy.cof->flow->optimizer.built, 1);
	toy_run_finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, toy_run_reset, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_hot_method_gets_its_best_version),
		T(callers_reach_the_new_version_without_being_rebuilt),
		T(replaced_code_is_freed_while_it_runs),
		T(a_program_that_changes_phase_is_followed),
		T(many_threads_share_one_loop),
		T(a_host_with_one_plan_gets_that_and_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
