/*
 * test_optimizer.c - P/O and its workers, fed by hand
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "by_hand.h"
#include "clock.h"
#include "said.h"
#include "valgrind.h"

#define OPTIONS "mode=co,source=none,stats=none,reclaim_ms=1,"
static struct toy_method method[N];

/* What the wrapped host does, and what it saw. */
static int (*toy_build)(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out);
static _Atomic int gate;		/* builds wait while it is 1 */
static _Atomic int inside;		/* builds begun */
static const char *_Atomic order[N];	/* names, as they came */

static int setup(void **state)
{
	toy_run_reset(state);
	toy_build = host.build;
	gate = inside = 0;
	return 0;
}

static void start(const char *options)
{
	toy_run_start(OPTIONS, options);
	for (int i = 0; i < N; i++) {
		by_hand_add(&method[i], i);
		by_hand_call(&method[i]);
	}
}

static struct cof_flow_optimizer *flow(void)
{
	return &toy.cof->flow->optimizer;
}

/* Of the version that answers now. */
static unsigned plan_of(int i)
{
	return toy_call(&method[i], 1).version & 3;
}

static void forecast(int i, uint64_t samples)
{
	by_hand_forecast(&method[i], samples);
}

/* And method 0 is forecast. */
static void start_hot(const char *options)
{
	start(options);
	forecast(0, 1000);
}

#define WAIT(cond) wait_until(cond, toy.cof->flow)

static int decline(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		   struct cof_version_desc *out)
{
	(void)ctx, (void)ir, (void)plan, (void)stop, (void)out;
	return 1;
}

static int wait_at_gate(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out)
{
	int n = inside++;

	if (n < N)
		order[n] = ((struct toy_method *)ir)->name;
	while (gate && !__atomic_load_n(stop, __ATOMIC_RELAXED))
		nap();
	return toy_build(ctx, ir, plan, stop, out);
}

/* Method 0 is being built, until the gate opens. */
static void start_at_gate(void)
{
	host.build = wait_at_gate;
	gate = 1;
	start_hot("");
	WAIT(inside == 1);
}

static int outside(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		   struct cof_version_desc *out)
{
	if (toy_build(ctx, ir, plan, stop, out) != 0)
		return 1;
	out->start = (const char *)out->start + ((size_t)1 << 40);
	return 0;
}

static int burn(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		struct cof_version_desc *out)
{
	uint64_t t0 = cof_clock_thread_ns();

	while (cof_clock_thread_ns() - t0 < 40000000)
		;
	return toy_build(ctx, ir, plan, stop, out);
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
	cof_count_set(&toy.cof->flow->sampler.period_ns, 4000000);
	forecast(0, 1600);		/* 6.4 s; the speed-up is 64 */
	WAIT(toy.cof->flow->patcher.installed == N + 1);
	w = cof_word_read(&by_hand_current(&method[0])->word);
	assert_int_equal(w.weight, 100);
	assert_int_equal(w.calls, 0);
	assert_int_equal(w.generation, 3);
	assert_int_equal(w.flags, COF_WORD_SETTLED);	/* no higher plan */
	cof_stop(toy.cof);
	assert_true(method[0].method->past_ns == 100000000.0);
	toy_run_finish();
}

static void a_host_that_declines_is_not_asked_again_for_a_while(void **state)
{
	(void)state;
	host.build = decline;
	start_hot("");
	WAIT(flow()->drop_DECLINED == 1);
	WAIT(flow()->ignored == 1);
	forecast(0, 1000);
	WAIT(flow()->drop_IGNORED == 1);
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
	/* And the method may be picked again. */
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

static void the_most_urgent_build_goes_first(void **state)
{
	static const char *const expected[] = { "a", "d", "b", "c" };

	(void)state;
	host.build = wait_at_gate;
	gate = 1;
	start("workers=1");
	forecast(0, 10);
	WAIT(inside == 1);		/* the one worker is busy */
	forecast(1, 500);
	forecast(2, 100);
	forecast(3, 900);
	WAIT(flow()->queued == 3);
	gate = 0;
	WAIT(flow()->built == 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(order[i], expected[i]);
	toy_run_finish();
}

static void workers_build_side_by_side(void **state)
{
	(void)state;
	host.build = wait_at_gate;
	gate = 1;
	start("workers=3,build_pct=6400");
	for (int i = 0; i < 4; i++)
		forecast(i, 1000);
	WAIT(inside == 3 && flow()->queued == 1);
	gate = 0;
	WAIT(flow()->built == 4);
	toy_run_finish();
}

static int costs(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		 struct cof_estimate *out)
{
	/* a, b, c; of the time that nobody waits here. */
	static const uint64_t ns[] = { UINT64_C(4000000000000),
				       UINT64_C(900000000000),
				       UINT64_C(1100000000000) };

	(void)ctx;
	if (plan <= now)
		return 1;
	*out = (struct cof_estimate){
		.speedup = 2,
		.cost_ns = ns[((struct toy_method *)m)->name[0] - 'a'],
	};
	return 0;
}

static void a_build_much_shorter_than_one_that_runs_does_not_wait_for_it(
	void **state)
{
	(void)state;
	host.build = wait_at_gate;
	host.estimate = costs;
	gate = 1;
	start("workers=2,build_pct=6400");
	forecast(0, 100000000);
	WAIT(inside == 1);
	forecast(2, 100000000);		/* more than a quarter of it */
	WAIT(flow()->queued == 1);
	forecast(1, 100000000);		/* less */
	WAIT(inside == 2);
	assert_string_equal(order[1], "b");
	assert_int_equal(flow()->queued, 1);
	gate = 0;
	WAIT(flow()->built == 3);
	toy_run_finish();
}

static void stopping_drops_what_is_queued_and_discards_what_is_built(
	void **state)
{
	(void)state;
	host.build = wait_at_gate;
	gate = 1;		/* opened by *stop alone */
	start("workers=1");
	for (int i = 0; i < 4; i++)
		forecast(i, 1000);
	WAIT(inside == 1 && flow()->queued == 3);
	cof_stop(toy.cof);
	assert_int_equal(flow()->drop_STOPPED, 4);
	assert_int_equal(flow()->built, 0);
	assert_int_equal(toy.discarded, 1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(plan_of(i), COF_PLAN_NONE);
	toy_run_finish();
}

static void dry_run_builds_and_does_not_patch(void **state)
{
	(void)state;
	start_hot("dry_run");
	WAIT(toy.cof->flow->patcher.drop_DRY_RUN == 1);
	assert_int_equal(flow()->built, 1);
	assert_int_equal(plan_of(0), COF_PLAN_NONE);
	WAIT(flow()->ignored == 1);
	forecast(0, 1000);		/* one build, as without dry_run */
	WAIT(flow()->drop_IGNORED == 1);
	toy_run_finish();
}

static void builds_wait_for_their_cpu_budget(void **state)
{
	(void)state;
	host.build = burn;
	/* 10 ms are there at first; the debt of 30 takes 3 s to pay. */
	start("build_pct=1,workers=1");
	forecast(0, 1000);
	forecast(1, 1000);
	WAIT(flow()->built == 2);
	assert_true(flow()->waited_ns > 0);
	assert_true(flow()->build_ns >= 80000000);
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
	char expected[160];

	(void)state;
	host.log = said_keep;
	start("verbose");
	said_lines = 0;
	forecast(0, 1000);
	WAIT(toy.cof->flow->patcher.installed == N + 1);
	cof_stop(toy.cof);
	assert_true(said_lines >= 7);
	assert_string_equal(said_line[0], "COF: P/O     0   (12, 2) a");
	assert_string_equal(said_line[1], "COF: P/O Candidate; Slot  0");
	snprintf(expected, sizeof(expected), "COF: OPT added %p",
		 (void *)method[0].method);
	assert_string_equal(said_line[2], expected);
	snprintf(expected, sizeof(expected),
		 "COF: Recompiling %p .... recompiled!",
		 (void *)method[0].method);
	assert_string_equal(said_line[3], expected);
	assert_memory_equal(said_line[4], "patching.. 0x", 13);
	snprintf(expected, sizeof(expected), "COF: OPT: %p dequeued",
		 (void *)method[0].method);
	assert_string_equal(said_line[5], expected);
	assert_memory_equal(said_line[6], "COF: OPT took ", 14);
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
		T(the_most_urgent_build_goes_first),
		T(workers_build_side_by_side),
		T(a_build_much_shorter_than_one_that_runs_does_not_wait_for_it),
		T(stopping_drops_what_is_queued_and_discards_what_is_built),
		T(dry_run_builds_and_does_not_patch),
		T(builds_wait_for_their_cpu_budget),
		T(replaced_versions_are_reclaimed_while_the_program_runs),
		T(the_log_says_what_was_decided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
