/*
 * test_optimizer.c - P/O and its workers, fed by hand
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gated.h"
#include "tests/support/said.h"
#include "tests/support/valgrind.h"

static int decline(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		   struct cof_version_desc *out)
{
	(void)ctx, (void)ir, (void)plan, (void)stop, (void)out;
	return 1;
}

static int outside(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		   struct cof_version_desc *out)
{
	if (toy_build(ctx, ir, plan, stop, out) != 0)
		return 1;
	out->start = (const char *)out->start + ((size_t)1 << 40);
	return 0;
}

static void *no_ir(void *ctx, void *m)
{
	(void)ctx, (void)m;
	return NULL;
}

static void a_forecast_becomes_code_that_runs(void **state)
{
	(void)state;
	start_hot("");
	WAIT(toy.cof->flow->patcher.installed == N + 1);
	assert_int_equal(toy_call(&method[0], 1).value, 65);
	assert_int_equal(plan_of(0), COF_PLAN_SPEED);
	assert_int_equal(flow()->built, 1);
	assert_int_equal(plan_of(1), COF_PLAN_NONE);
	toy_run_finish();
}

static void ir_is_gathered_once_for_any_number_of_builds(void **state)
{
	(void)state;
	start("stress=3");
	for (unsigned i = 1; i <= 20; i++) {
		forecast(0, 1);
		WAIT(toy.cof->flow->patcher.installed == N + i);
		assert_int_equal(toy_call(&method[0], 1).value, 65);
	}
	assert_int_equal(flow()->gathered, 1);
	assert_int_equal(flow()->built, 20);
	toy_run_finish();
}

static void weight_and_past_go_over_divided_by_the_speedup(void **state)
{
	struct cof_word w = { .weight = 6400, .calls = 9, .generation = 3,
			      .flags = COF_WORD_HIT };

	(void)state;
	start("");
	atomic_store(&by_hand_current(&method[0])->word,
		     cof_word_pack(w));
	cof_count_set(&toy.cof->flow->sampler.sample_ns, 4000000);
	forecast(0, 1600);		/* 6.4 s; the speed-up is 64 */
	WAIT(toy.cof->flow->patcher.installed == N + 1);
	w = cof_word_read(&by_hand_current(&method[0])->word);
	assert_int_equal(w.weight, 100);
	assert_int_equal(w.calls, 0);
	assert_int_equal(w.generation, 3);
	assert_int_equal(w.flags, COF_WORD_SETTLED);	/* no higher plan */
	cof_stop(toy.cof);
	assert_true(method[0].method->build.past_ns == 100000000.0);
	toy_run_finish();
}

static void a_host_that_declines_is_not_asked_again_for_a_while(void **state)
{
	(void)state;
	host.build = decline;
	start_hot("");
	WAIT(flow()->drop_DECLINED == 1);
	WAIT(flow()->backed_off == 1);
	forecast(0, 1000);
	WAIT(flow()->drop_BACKED_OFF == 1);
	assert_int_equal(plan_of(0), COF_PLAN_NONE);
	toy_run_finish();
}

static void without_ir_there_is_no_build(void **state)
{
	(void)state;
	host.gather = no_ir;
	start_hot("");
	WAIT(flow()->drop_NO_IR == 1);
	assert_int_equal(flow()->gathered, 0);
	assert_int_equal(flow()->built, 0);
	toy_run_finish();
}

static void a_host_that_cannot_gather_or_build_is_fine(void **state)
{
	(void)state;
	host.gather = NULL;
	start_hot("");
	WAIT(flow()->drop_NO_IR == 1);
	toy_run_finish();

	setup(NULL);
	host.build = NULL;
	start_hot("");
	WAIT(flow()->drop_DECLINED == 1);
	toy_run_finish();
}

static void what_the_patcher_refuses_is_discarded_and_its_code_freed(
	void **state)
{
	uint64_t hot;

	(void)state;
	host.build = outside;
	start("");
	hot = toy.cof->flow->patcher.code_hot;
	forecast(0, 1000);
	WAIT(toy.cof->flow->patcher.drop_REFUSED == 1);
	WAIT(toy.discarded == 1);
	WAIT(toy.cof->flow->patcher.code_hot == hot);
	assert_int_equal(plan_of(0), COF_PLAN_NONE);
	toy_run_finish();
}

static void a_version_the_host_adds_meanwhile_wins(void **state)
{
	struct toy_answer mine;

	(void)state;
	start_at_gate();
	host.first_call(&toy, &method[0]);
	mine = toy_call(&method[0], 1);
	gate = 0;
	WAIT(toy.cof->flow->patcher.drop_SUPERSEDED == 1);
	assert_int_equal(toy_call(&method[0], 1).version, mine.version);
	assert_int_equal(flow()->built, 1);
	/* The method may be picked again. */
	forecast(0, 1000);
	WAIT(toy.cof->flow->patcher.installed == N + 2);
	assert_int_equal(plan_of(0), COF_PLAN_SPEED);
	toy_run_finish();
}

static void a_forecast_of_a_method_being_built_is_busy(void **state)
{
	(void)state;
	start_at_gate();
	forecast(0, 1000);
	WAIT(flow()->drop_BUSY == 1);
	gate = 0;
	WAIT(flow()->built == 1);
	toy_run_finish();
}

static void dry_run_builds_and_does_not_patch(void **state)
{
	(void)state;
	start_hot("dry_run");
	WAIT(toy.cof->flow->patcher.drop_DRY_RUN == 1);
	assert_int_equal(flow()->built, 1);
	assert_int_equal(plan_of(0), COF_PLAN_NONE);
	WAIT(flow()->backed_off == 1);
	forecast(0, 1000);		/* one build, as without dry_run */
	WAIT(flow()->drop_BACKED_OFF == 1);
	toy_run_finish();
}

static void replaced_versions_are_reclaimed_while_the_program_runs(void **state)
{
	(void)state;
	skip_under_valgrind();	/* sleeper */
	start_hot("");
	WAIT(toy.cof->flow->patcher.installed == N + 1);
	WAIT(toy.cof->flow->reclaim.freed == 1);
	assert_int_equal(toy.discarded, 1);
	assert_int_equal(toy_call(&method[0], 1).value, 65);
	toy_run_finish();
}

static void the_log_says_what_was_decided(void **state)
{
	(void)state;
	host.log = said_keep;
	start("verbose");
	said_lines = 0;
	forecast(0, 1000);
	WAIT(toy.cof->flow->patcher.installed == N + 1);
	cof_stop(toy.cof);
	assert_true(said_lines >= 7);
	assert_string_equal(said_line[0], "COF: P/O took the forecast of a: "
			    "slot 0, weight 12, climbed 2");
	assert_non_null(strstr(said_line[1], "that a build of a pays: plan "));
	assert_string_equal(said_line[2], "COF: P/O queues a build of a");
	assert_string_equal(said_line[3], "COF: the host recompiled a");
	assert_non_null(strstr(said_line[4], "COF: P/O patches a from 0x"));
	assert_string_equal(said_line[5], "COF: P/O took the result for a");
	assert_non_null(strstr(said_line[6], "COF: a worker took "));
	toy_run_finish();
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup, toy_run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_forecast_becomes_code_that_runs),
		T(ir_is_gathered_once_for_any_number_of_builds),
		T(weight_and_past_go_over_divided_by_the_speedup),
		T(a_host_that_declines_is_not_asked_again_for_a_while),
		T(without_ir_there_is_no_build),
		T(a_host_that_cannot_gather_or_build_is_fine),
		T(what_the_patcher_refuses_is_discarded_and_its_code_freed),
		T(a_version_the_host_adds_meanwhile_wins),
		T(a_forecast_of_a_method_being_built_is_busy),
		T(dry_run_builds_and_does_not_patch),
		T(replaced_versions_are_reclaimed_while_the_program_runs),
		T(the_log_says_what_was_decided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
