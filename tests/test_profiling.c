/*
 * test_profiling.c - instrumented, counted, collected, built again
 *
 * As in test_optimizer.c the test makes the forecasts; it also says how much was
 * counted. Only the last tests sample.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "balance.h"
#include "clock.h"
#include "counter.h"
#include "instance.h"
#include "optimizer/optimizer.h"
#include "optimizer/profile.h"
#include "predictor/forecast.h"
#include "predictor/predictor.h"

#define N 8
#define OPTIONS "stats=none,generation_ms=5,reclaim_ms=1,profile_counts=100,"
#define BY_HAND "source=none,audit=off,profile_slow_pct=0"

static struct toy toy;
static struct cof_host host;
static char lines[256][160];
static _Atomic unsigned n_lines;

static int setup(void **state)
{
	(void)state;
	unsetenv("COF_OPTIONS");
	toy = (struct toy){ 0 };
	host = counter_host(&toy);
	n_lines = 0;
	return 0;
}

static void start(const char *options)
{
	static const char *const name[N] = {
		"a", "b", "c", "d", "e", "f", "g", "h",
	};
	char all[256], why[COF_WHY_BYTES] = "";

	snprintf(all, sizeof(all), OPTIONS "%s", options);
	if (cof_start(&host, all, why, &toy.cof) != 0)
		fail_msg("%s", why);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	for (int i = 0; i < N; i++) {
		counter[i].m = (struct toy_method){
			.name = name[i], .turns = 64, .step = i + 1,
		};
		assert_int_equal(toy_add(&toy, &counter[i].m), 0);
	}
}

static void call_all(void)
{
	for (int i = 0; i < N; i++)
		assert_int_equal(toy_call(&counter[i].m, 1).value,
				 1 + 64 * (i + 1));
}

static struct cof_flow_profile *flow(void)
{
	return &toy.cof->flow->profile;
}

static void finish(void)
{
	call_all();
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	if (unbalanced(toy.cof->flow)) {
		show_flow(toy.cof->flow);
		fail();
	}
	assert_int_equal(toy.cof->flow->optimizer.profiled, flow()->picked);
	assert_int_equal(flow()->counting, 0);
	assert_int_equal(flow()->full, 0);
	cof_free(toy.cof);
	/* Each version was discarded once, each IR dropped once. */
	assert_int_equal(toy.discarded, toy.versions);
	assert_int_equal(toy.dropped, toy.gathered);
}

static struct cof_version *current(int i)
{
	return atomic_load(&counter[i].m.method->current);
}

/* The plan of what runs; a record may go at any time, so under the lock. */
static enum cof_plan plan(int i)
{
	enum cof_plan p;

	pthread_mutex_lock(&toy.cof->code_lock);
	p = current(i)->plan;
	pthread_mutex_unlock(&toy.cof->code_lock);
	return p;
}

static bool counts(int i)
{
	bool is;

	pthread_mutex_lock(&toy.cof->code_lock);
	is = current(i)->counting;
	pthread_mutex_unlock(&toy.cof->code_lock);
	return is;
}

static unsigned number(int i)
{
	unsigned n;

	pthread_mutex_lock(&toy.cof->code_lock);
	n = current(i)->number;
	pthread_mutex_unlock(&toy.cof->code_lock);
	return n;
}

/* Have method i forecast, as having been seen in `samples` samples. */
static void forecast(int i, uint64_t samples)
{
	struct cof_version *v = current(i);
	struct cof_forecast f = { .version = v, .weight = 12, .climbed = 2 };
	uint64_t w[COF_FORECAST_WORDS];

	atomic_store(&v->samples, samples);
	cof_forecast_pack(&f, w);
	assert_true(cof_ring_push(&toy.cof->forecasts, w, COF_FORECAST_WORDS));
	cof_optimizer_wake(toy.cof);
}

/* PRE sleeps long without samples, and P/O with it. */
static bool go_on(void)
{
	cof_predictor_wake(toy.cof);
	cof_optimizer_wake(toy.cof);
	return true;
}

#define WAIT(cond) wait_until(go_on() && (cond), toy.cof->flow)

static void keep(void *ctx, const char *line)
{
	(void)ctx;
	if (n_lines < 256)
		snprintf(lines[n_lines++], sizeof(*lines), "%s", line);
}

static bool said(const char *line)
{
	for (unsigned i = 0; i < n_lines; i++)
		if (strncmp(lines[i], line, strlen(line)) == 0)
			return true;
	return false;
}

/* From a forecast to a version with its profile. */
static void profile(int i)
{
	unsigned built = (unsigned)flow()->built;

	forecast(i, 1000);
	WAIT(flow()->counting == 1);
	counter[i].counted = 1000;
	WAIT(flow()->built == built + 1);
	WAIT(plan(i) == COF_PLAN_PROFILE);
}

/* -- One method ------------------------------------------------------------ */

static void a_hot_method_counts_goes_back_and_gets_its_profile(void **state)
{
	(void)state;
	start("mode=full,group_methods=1," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->counting == 1);
	assert_int_equal(plan(0), COF_PLAN_NONE);
	assert_true(counts(0));
	assert_int_equal(number(0), 1);
	call_all();
	counter[0].counted = 99;
	WAIT(toy.cof->generation > 3);
	assert_int_equal(flow()->counting, 1);
	counter[0].no_build = true;	/* so that what is before it stays */
	counter[0].counted = 100;
	WAIT(flow()->drop_DECLINED == 1);
	assert_false(counts(0));
	assert_int_equal(number(0), 0);
	assert_int_equal(counter[0].collected, 1);
	finish();

	setup(NULL);
	start("mode=full," BY_HAND);
	call_all();
	profile(0);
	assert_int_equal(number(0), 2);
	assert_int_equal(counter[0].instrumented, 1);
	assert_int_equal(counter[0].collected, 1);
	assert_int_equal(counter_groups, 0);
	/* The first version and the counting one are not needed any more. */
	WAIT(toy.cof->flow->reclaim.retired == 2);
	finish();
}

static void auto_does_so_too(void **state)
{
	(void)state;
	start("mode=auto," BY_HAND);
	call_all();
	profile(3);
	finish();
}

static void mode_co_instruments_nothing(void **state)
{
	(void)state;
	start("mode=co," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_SPEED);
	assert_int_equal(flow()->picked, 0);
	assert_int_equal(counter[0].instrumented, 0);
	finish();
}

static void a_host_that_declines_to_instrument_is_asked_for_speed(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	counter[0].no_instrument = true;
	forecast(0, 1000);
	WAIT(flow()->drop_NO_COUNTING == 1);
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_SPEED);
	assert_int_equal(flow()->picked, 1);
	finish();
}

static void a_host_that_cannot_instrument_is_not_asked(void **state)
{
	(void)state;
	host.instrument = NULL;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_SPEED);
	assert_int_equal(flow()->picked, 0);
	finish();

	setup(NULL);
	host.collect = NULL;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_SPEED);
	assert_int_equal(flow()->picked, 0);
	finish();
}

static void without_ir_nothing_is_instrumented(void **state)
{
	(void)state;
	host.gather = NULL;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->drop_NO_IR == 1);
	finish();
}

static void a_profile_of_nothing_leads_to_speed(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	counter[0].no_collect = true;
	forecast(0, 1000);
	WAIT(flow()->counting == 1);
	counter[0].counted = 1000;
	WAIT(flow()->drop_NO_PROFILE == 1);
	assert_int_equal(number(0), 0);
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_SPEED);
	assert_int_equal(counter[0].instrumented, 1);
	finish();
}

static void a_method_that_is_never_entered_goes_back_empty(void **state)
{
	(void)state;
	start("mode=full,profile_generations=4," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->drop_EMPTY == 1);
	assert_int_equal(number(0), 0);
	assert_int_equal(counter[0].collected, 0);
	forecast(0, 1000);		/* what can be done without */
	WAIT(plan(0) == COF_PLAN_SPEED);
	finish();
}

static void one_that_never_fills_is_taken_as_it_is(void **state)
{
	(void)state;
	start("mode=full,profile_generations=4," BY_HAND);
	call_all();
	counter[0].counted = 1;
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_PROFILE);
	finish();
}

static void a_host_that_cannot_say_how_much_is_waited_for(void **state)
{
	(void)state;
	host.counted = NULL;
	start("mode=full,profile_generations=4," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(plan(0) == COF_PLAN_PROFILE);
	finish();
}

static void a_version_of_the_hosts_ends_the_counting(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->counting == 1);
	host.first_call(&toy, &counter[0].m);
	WAIT(flow()->drop_STALE == 1);
	assert_int_equal(number(0), 2);
	WAIT(toy.cof->flow->reclaim.retired == 2);
	finish();
}

static void a_version_of_the_hosts_ends_the_waiting(void **state)
{
	(void)state;
	start("mode=full,generation_ms=60000," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->counting == 1);
	/* PRE's clock stands, so let the test turn it. */
	toy.cof->generation = 10;
	counter[0].counted = 1000;
	WAIT(flow()->full == 1);
	host.first_call(&toy, &counter[0].m);
	WAIT(flow()->drop_STALE == 1);
	finish();
}

static void a_forecast_meanwhile_is_busy(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->counting == 1);
	forecast(0, 1000);
	WAIT(toy.cof->flow->optimizer.drop_BUSY == 1);
	finish();
}

static void a_build_that_declines_is_marked(void **state)
{
	(void)state;
	counter[0].no_build = true;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->counting == 1);
	counter[0].counted = 1000;
	WAIT(flow()->drop_DECLINED == 1);
	WAIT(toy.cof->flow->optimizer.ignored == 1);
	forecast(0, 1000);
	WAIT(toy.cof->flow->optimizer.drop_IGNORED == 1);
	finish();
}

static void a_dry_run_does_not_count(void **state)
{
	(void)state;
	start("mode=full,dry_run," BY_HAND);
	call_all();
	forecast(0, 1000);
	WAIT(flow()->drop_NOT_PATCHED == 1);
	assert_int_equal(number(0), 0);
	finish();
}

static int dear(void *ctx, void *method, enum cof_plan now, enum cof_plan p,
		struct cof_estimate *out)
{
	(void)ctx, (void)method;
	out->speedup = now == COF_PLAN_NONE ? 1.5 + 0.2 * p : 1.3;
	out->cost_ns = p == COF_PLAN_PROFILE ? 100000000 : 1000;
	return p != COF_PLAN_STATIC && p != COF_PLAN_PROFILE;
}

static void a_plan_quickly_built_goes_first(void **state)
{
	(void)state;
	host.estimate = dear;
	start("mode=full," BY_HAND);
	call_all();
	forecast(0, 100000);
	WAIT(plan(0) == COF_PLAN_STATIC);
	assert_int_equal(flow()->picked, 0);
	forecast(0, 100000);
	WAIT(flow()->counting == 1);
	finish();
}

/* -- Phases ---------------------------------------------------------------- */

static void another_phase_counts_again_and_each_time_later(void **state)
{
	(void)state;
	start("mode=full,ignore_generations=1," BY_HAND);
	call_all();
	profile(0);
	/* Of this phase it has one. */
	forecast(0, 100000);
	WAIT(toy.cof->flow->optimizer.drop_NO_ESTIMATE == 1);
	for (uint64_t phase = 1, next = 1, times = 1; phase <= 8; phase++) {
		cof_count_add(&toy.cof->flow->predictor.phase_changes, 1);
		counter[0].counted = 0;
		if (phase == next) {
			WAIT(!(cof_word_read(&current(0)->word).flags &
			       COF_WORD_SETTLED));
			profile(0);
			next += UINT64_C(1) << times;
			assert_int_equal(counter[0].instrumented, ++times);
		} else {
			uint64_t was = toy.cof->flow->optimizer.taken;

			forecast(0, 100000);
			WAIT(toy.cof->flow->optimizer.taken == was + 1);
			WAIT(toy.cof->flow->optimizer.drop_NO_ESTIMATE > 0);
		}
	}
	assert_int_equal(flow()->again, counter[0].instrumented - 1);
	assert_int_equal(counter[0].instrumented, 4);	/* at 0, 1, 3, 7 */
	finish();
}

/* -- Groups ---------------------------------------------------------------- */

/* Methods 0 to n - 1 count. */
static void count_all(int n)
{
	for (int i = 0; i < n; i++)
		forecast(i, 1000);
	WAIT(flow()->counting == (uint64_t)n);
}

static void fill_all(int n)
{
	for (int i = 0; i < n; i++)
		counter[i].counted = 1000;
}

static void methods_hot_together_are_built_together(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	count_all(5);
	fill_all(5);
	WAIT(flow()->built == 5);
	for (int i = 0; i < 5; i++) {
		WAIT(plan(i) == COF_PLAN_PROFILE);
		assert_int_equal(counter[i].grouped + counter[i].built, 1);
	}
	assert_true(counter_groups >= 1);
	assert_int_equal(flow()->groups, counter_groups);
	finish();
}

static void one_that_the_group_declines_does_not_harm_the_others(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	counter[2].no_group = counter[2].no_build = true;
	counter[1].no_collect = true;
	count_all(5);
	fill_all(5);
	WAIT(flow()->built == 3);
	WAIT(flow()->drop_DECLINED == 1);
	WAIT(flow()->drop_NO_PROFILE == 1);
	assert_int_equal(plan(2), COF_PLAN_NONE);
	assert_int_equal(plan(1), COF_PLAN_NONE);
	finish();
}

static void a_group_that_is_declined_is_built_one_by_one(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	counter_no_groups = true;
	count_all(4);
	fill_all(4);
	WAIT(flow()->built == 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(counter[i].built, 1);
	assert_int_equal(flow()->groups, 0);
	finish();
}

static void without_groups_each_is_built_alone(void **state)
{
	(void)state;
	host.build_group = NULL;
	start("mode=full," BY_HAND);
	call_all();
	count_all(4);
	fill_all(4);
	WAIT(flow()->built == 4);
	finish();

	setup(NULL);
	start("mode=full,group_methods=1," BY_HAND);
	call_all();
	count_all(4);
	fill_all(4);
	WAIT(flow()->built == 4);
	assert_int_equal(counter_groups, 0);
	finish();
}

/* -- Mode pgo -------------------------------------------------------------- */

static unsigned threads_now(void)
{
	DIR *dir = opendir("/proc/self/task");
	unsigned n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static void pgo_builds_each_method_once_more(void **state)
{
	unsigned before = threads_now();

	(void)state;
	start("mode=pgo,workers=1");
	assert_null(toy.cof->predictor);
	/* P/O and a worker. A sanitizer may have one of its own. */
	assert_int_equal(threads_now(), before + 2);
	call_all();
	WAIT(flow()->counting == N);
	fill_all(N);
	WAIT(flow()->built == N);
	call_all();
	for (int i = 0; i < N; i++) {
		WAIT(plan(i) == COF_PLAN_PROFILE);
		assert_int_equal(counter[i].instrumented, 1);
		assert_int_equal(counter[i].grouped + counter[i].built, 1);
	}
	/* And forgotten: what the host does later is its own affair. */
	host.first_call(&toy, &counter[0].m);
	WAIT(toy.cof->flow->reclaim.retired == 2 * N + 1);
	assert_int_equal(plan(0), COF_PLAN_NONE);
	assert_int_equal(flow()->picked, N);
	assert_int_equal(toy.cof->flow->optimizer.fresh, N);
	finish();
}

static void pgo_forgets_what_is_not_called_again(void **state)
{
	(void)state;
	start("mode=pgo,profile_generations=4");
	call_all();
	WAIT(flow()->drop_EMPTY == N);
	for (int i = 0; i < N; i++)
		assert_int_equal(number(i), 0);
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
	start("mode=pgo");
	call_all();
	WAIT(toy.cof->flow->optimizer.drop_NO_ESTIMATE == N);
	finish();
}

static void pgo_with_a_host_that_cannot_does_nothing(void **state)
{
	(void)state;
	host = toy_host(&toy);
	start("mode=pgo");
	call_all();
	assert_int_equal(toy.cof->flow->optimizer.fresh, 0);
	finish();
}

/* It never sleeps: only its own handler can say that it is in no old code. */
static void pgo_frees_code_under_a_thread_that_runs(void **state)
{
	uint64_t t0 = cof_clock_ns();

	(void)state;
	start("mode=pgo");
	call_all();
	fill_all(N);
	while (toy.cof->flow->reclaim.freed < N &&
	       cof_clock_ns() - t0 < 60000000000u)
		for (int i = 0; i < 100; i++)
			call_all();
	assert_true(toy.cof->flow->reclaim.freed >= N);
	assert_int_equal(toy.cof->flow->threads.unsampled, 0);
	finish();
}

/* -- Any moment ------------------------------------------------------------ */

static void stop_comes_at_any_moment(void **state)
{
	static const char *const mode[] = { "full", "pgo", "auto" };

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		char options[160];

		setup(NULL);
		snprintf(options, sizeof(options), "mode=%s,workers=%u,"
			 "profile_generations=3,source=none,profile_slow_pct=0,%s", mode[i % 3],
			 1 + i % 2, i % 4 < 2 ? "audit=off" : "");
		start(options);
		call_all();
		if (i % 5 != 0)
			fill_all(N);
		for (unsigned k = 0; k < i / 3; k++) {
			if (i % 3 != 1)
				forecast((int)(k % N), 1000);
			nap();
			go_on();
		}
		finish();
	}
}

static void counting_code_is_left_when_libcof_stops(void **state)
{
	(void)state;
	start("mode=full," BY_HAND);
	call_all();
	count_all(3);
	cof_stop(toy.cof);
	assert_int_equal(flow()->drop_STOPPED, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(number(i), 0);
	finish();
}

static void the_log_says_what_was_decided(void **state)
{
	char expected[160];
	void *m;

	(void)state;
	host.log = keep;
	start("mode=full,verbose," BY_HAND);
	call_all();
	m = counter[0].m.method;
	profile(0);
	cof_stop(toy.cof);
	assert_true(said("COF: P/O Candidate; Slot  0"));
	snprintf(expected, sizeof(expected), "COF: Instrumenting %p .... "
		 "counting!", m);
	assert_true(said(expected));
	assert_true(said("COF: P/O  full   (1000, "));
	snprintf(expected, sizeof(expected), "COF: Collecting %p .... "
		 "collected!", m);
	assert_true(said(expected));
	snprintf(expected, sizeof(expected), "COF: Recompiling %p .... "
		 "recompiled!", m);
	assert_true(said(expected));
	finish();
}

/* -- With samples ---------------------------------------------------------- */

static void run_hot(uint64_t ns, bool (*done)(void))
{
	uint64_t t0 = cof_clock_ns();

	do {
		for (int i = 0; i < 20; i++)
			assert_int_equal(toy_call(&counter[0].m, 1).value,
					 1 + 64000l * 3);
	} while (!done() && cof_clock_ns() - t0 < ns);
}

static bool is_profiled(void)
{
	return plan(0) == COF_PLAN_PROFILE;
}

static void a_method_that_is_sampled_ends_with_its_profile(void **state)
{
	(void)state;
	start("mode=full,audit=off,drain_ms=5,generation_ms=40,profile_slow_pct=0,"
	      "budget_permille=0");
	counter[0].m.turns = 64000;
	counter[0].m.step = 3;
	counter[0].counted = 1000;
	run_hot(60000000000u, is_profiled);
	assert_true(is_profiled());
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_null(unbalanced(toy.cof->flow));
	cof_free(toy.cof);
	assert_int_equal(toy.discarded, toy.versions);
}

static bool is_enough(void)
{
	return flow()->built > 20;
}

static void under_stress_everything_stays_right(void **state)
{
	(void)state;
	start("mode=full,stress=7,drain_ms=5,generation_ms=10,"
	      "budget_permille=0,profile_generations=3");
	counter[0].m.turns = 64000;
	counter[0].m.step = 3;
	counter[0].counted = 1000;
	run_hot(20000000000u, is_enough);
	assert_true(flow()->built > 0);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	if (unbalanced(toy.cof->flow))
		fail();
	cof_free(toy.cof);
	assert_int_equal(toy.discarded, toy.versions);
	assert_int_equal(toy.dropped, toy.gathered);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_hot_method_counts_goes_back_and_gets_its_profile),
		T(auto_does_so_too),
		T(mode_co_instruments_nothing),
		T(a_host_that_declines_to_instrument_is_asked_for_speed),
		T(a_host_that_cannot_instrument_is_not_asked),
		T(without_ir_nothing_is_instrumented),
		T(a_profile_of_nothing_leads_to_speed),
		T(a_method_that_is_never_entered_goes_back_empty),
		T(one_that_never_fills_is_taken_as_it_is),
		T(a_host_that_cannot_say_how_much_is_waited_for),
		T(a_version_of_the_hosts_ends_the_counting),
		T(a_version_of_the_hosts_ends_the_waiting),
		T(a_forecast_meanwhile_is_busy),
		T(a_build_that_declines_is_marked),
		T(a_dry_run_does_not_count),
		T(a_plan_quickly_built_goes_first),
		T(another_phase_counts_again_and_each_time_later),
		T(methods_hot_together_are_built_together),
		T(one_that_the_group_declines_does_not_harm_the_others),
		T(a_group_that_is_declined_is_built_one_by_one),
		T(without_groups_each_is_built_alone),
		T(pgo_builds_each_method_once_more),
		T(pgo_forgets_what_is_not_called_again),
		T(pgo_leaves_alone_what_cannot_gain),
		T(pgo_with_a_host_that_cannot_does_nothing),
		T(pgo_frees_code_under_a_thread_that_runs),
		T(stop_comes_at_any_moment),
		T(counting_code_is_left_when_libcof_stops),
		T(the_log_says_what_was_decided),
		T(a_method_that_is_sampled_ends_with_its_profile),
		T(under_stress_everything_stays_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
