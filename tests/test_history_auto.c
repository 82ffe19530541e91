/*
 * test_history_auto.c - what mode auto does with what it knows
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "balance.h"
#include "history_run.h"
#include "optimizer/thought.h"
#include "sampler/threads.h"
#include "ours.h"

/* -- What auto does-------------------------------------------------------- */

/* Of the thread that was attached; end_run() is still to come. */
static void stop_and_balance(void)
{
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_null(unbalanced(toy.cof->flow));
}

static void without_a_gain_nothing_is_sampled(void **state)
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 3 };

	(void)state;
	remember_no_gain();
	start("mode=auto");
	assert_true(toy.cof->begins_cpu_ns > 0);
	assert_false(cof_has_begun(toy.cof));
	assert_non_null(strstr(logged, "turns itself off"));
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_add(&toy, &m);
	assert_int_equal(toy_call(&m, 5).value, 5 + 64 * 3);
	assert_null(toy.cof->threads->list->rung);	/* no timer */
	cof_thread_detach(toy.cof);
	assert_null(toy.cof->threads->list);	/* nobody has to take it away */
	cof_stop(toy.cof);
	assert_int_equal(toy.cof->flow->sampler.taken, 0);
	end_run();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_NO_GAIN);
	assert_false(past.run[0].loop);
	assert_true(past.run[0].ended);
	assert_true(past.run[0].cpu_ns > 0);
}

static void another_mode_is_not_turned_off(void **state)
{
	(void)state;
	remember_no_gain();
	start("mode=full,source=none");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_FULL);
	assert_non_null(toy.cof->optimizer);
	stop();
}

static void short_runs_turn_it_off_and_their_time_is_kept(void **state)
{
	(void)state;
	for (int i = 1; i < 3; i++) {
		struct cof_history_record r = record_here(i, 0);

		r.run.cpu_ns = SECOND / 100;
		remember(r);
	}
	start("mode=auto");
	assert_false(cof_has_begun(toy.cof));
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_SHORT);
	assert_true(past.run[0].cpu_ns > 0);
	assert_true(past.run[0].ended);
}

/*
 * What was short is given a larger input. This process has used some CPU time by
 * now, so a millisecond is over soon.
 */
static void a_short_program_that_takes_longer_is_on_again(void **state)
{
	(void)state;
	for (int i = 1; i < 3; i++) {
		struct cof_history_record r = record_here(i, 0);

		r.run.cpu_ns = 1000;
		remember(r);
	}
	start("mode=auto,auto_short_ms=1,source=timer");
	assert_int_equal(toy.cof->begins_cpu_ns, SECOND / 1000);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	wait_until(cof_has_begun(toy.cof), toy.cof->flow);
	assert_non_null(toy.cof->threads->list->rung);
	cof_thread_detach(toy.cof);
	stop();
	assert_non_null(strstr(logged, "the loop begins"));
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_SHORT);
	assert_true(past.run[0].loop);
}

static int locate_nothing(void *ctx, const void *ip)
{
	(void)ctx, (void)ip;
	return 0;
}

/* With samples alone to show what is there, nothing is lost by waiting. */
static void a_program_that_is_over_at_once_is_not_looked_up(void **state)
{
	(void)state;
	host.locate = locate_nothing;
	host.kept = NULL;
	start("mode=auto,source=timer,auto_begin_ms=3600000");
	assert_false(cof_has_begun(toy.cof));
	wait_until(threads_named("cof-sam") == 1, toy.cof->flow);
	assert_int_equal(threads_named("cof-optimizer"), 0);
	assert_int_equal(threads_named("cof-pre"), 0);
	assert_int_equal(threads_named("cof-build"), 0);
	stop();
	assert_null(strstr(logged, "COF: history"));
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
}

static void one_that_is_not_is_looked_up_then(void **state)
{
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	remember(r);
	host.locate = locate_nothing;
	host.kept = NULL;
	start("mode=auto,source=timer,auto_begin_ms=1");
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	wait_until(cof_has_begun(toy.cof), toy.cof->flow);
	wait_until(threads_named("cof-optimizer") == 1 &&
		   threads_named("cof-pre") == 1 &&
		   threads_named("cof-build") > 0, toy.cof->flow);
	cof_thread_detach(toy.cof);
	stop();
	assert_non_null(strstr(logged, "COF: history"));
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 2);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_WARM);
	assert_true(past.run[0].loop);
}

static const struct cof_version *current(const struct toy_method *m)
{
	return atomic_load(&m->method->current);
}

/* Until m runs in a version built after the first; with which plan? */
static enum cof_plan call_until_built(struct toy_method *m)
{
	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	wait_until(current(m)->number != 0, toy.cof->flow);
	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	return current(m)->plan;
}

static void the_known_hot_set_is_built_without_a_sample(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 64, .step = 1 };
	struct toy_method other = { .name = "other", .turns = 64, .step = 1 };
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	r.method[0].plan = COF_PLAN_AVERAGE;
	remember(r);
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	toy_add(&toy, &other);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&other, 1);
	assert_int_equal(call_until_built(&m0), COF_PLAN_AVERAGE);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	assert_int_equal(current(&other)->number, 0);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->optimizer.known, 2);
	end_run();
}

static void one_of_another_shape_is_not_believed(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 128, .step = 1 };
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	host.shape = shape;
	r.method[0].shape = 32;
	r.method[1].shape = 128;
	remember(r);
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	assert_int_equal(current(&m0)->number, 0);
	cof_thread_detach(toy.cof);
	stop();
}

static _Atomic unsigned counted, collected, loaded, refuse;
static char loaded_bytes[32];

static int count_it(void *ctx, void *ir, const int *quit,
		    struct cof_version_desc *out)
{
	atomic_fetch_add(&counted, 1);
	return host.build(ctx, ir, COF_PLAN_STATIC, quit, out);
}

static int collect_it(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
	atomic_fetch_add(&collected, 1);
	return 0;
}

static int load_it(void *ctx, void *method, const void *buf, size_t bytes)
{
	(void)ctx, (void)method;
	if (bytes < sizeof(loaded_bytes))
		memcpy(loaded_bytes, buf, bytes);
	atomic_fetch_add(&loaded, 1);
	return refuse ? -1 : 0;
}

/* m0 was counted in an earlier run, and was `permille` as fast for it; begin another
 * one. */
static void start_measured(struct toy_method *m0, uint32_t permille,
			   const char *more)
{
	struct cof_history_record r = record_here(1, 1);
	char all[100];

	counted = collected = loaded = 0;
	host.instrument = count_it;
	host.collect = collect_it;
	host.profile_load = load_it;
	r.method[0].measured_permille = permille;
	remember(r);
	snprintf(all, sizeof(all), "mode=auto,source=none,generation_ms=20,%.40s",
		 more);
	start(all);
	toy_add(&toy, m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
}

static void start_with_a_profile(struct toy_method *m0)
{
	start_measured(m0, 0, "");
}

static void a_known_profile_takes_the_place_of_counting(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 0;
	start_with_a_profile(&m0);
	assert_int_equal(call_until_built(&m0), COF_PLAN_PROFILE);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	assert_string_equal(loaded_bytes, "seen to run");
	assert_int_equal(counted, 0);
	assert_int_equal(collected, 0);
	assert_int_equal(toy.cof->flow->profile.built, 1);
	end_run();
}

/* Is the version that is built to go on trial? */
static bool tries(uint32_t permille, const char *more)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };
	bool tries;

	refuse = 0;
	start_measured(&m0, permille, more);
	assert_int_equal(call_until_built(&m0), COF_PLAN_PROFILE);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	tries = toy.cof->flow->audit.tried == 1;
	assert_int_equal(toy.cof->flow->audit.proven, !tries);
	end_run();
	return tries;
}

/* The host keeps nothing: it is built anew, from the same profile. */
static void what_was_measured_to_be_faster_is_believed(void **state)
{
	(void)state;
	assert_false(tries(1200, "audit_again_runs=0"));
	assert_non_null(strstr(logged, "proven in an earlier run: m0, 1.200"));
}

static void what_was_not_is_tried(void **state)
{
	(void)state;
	assert_true(tries(980, "audit_again_runs=0"));
}

static void now_and_then_all_is_tried(void **state)
{
	(void)state;
	assert_true(tries(1200, "audit_again_runs=1"));
}

/* It ends before any turn of the trial does. */
static void what_a_trial_saw_is_remembered(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 0;
	start_measured(&m0, 0, "audit_slice_ms=10000");
	assert_int_equal(call_until_built(&m0), COF_PLAN_PROFILE);
	wait_until(m0.method->trial_permille != COF_THOUGHT_NONE,
		   toy.cof->flow);
	cof_method_tried(m0.method, 300, .9);
	atomic_store(&m0.method->samples, 5000);
	atomic_store(&toy.cof->flow->sampler.counted, 5000);
	atomic_store(&toy.cof->flow->sampler.taken, 5000);
	stop_and_balance();
	end_run();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.method[0].samples, 5000);
	assert_int_equal(past.method[0].plan, COF_PLAN_PROFILE);
	assert_int_equal(past.method[0].audit, COF_HISTORY_UNCLEAR);
	assert_int_equal(past.method[0].measured_permille, 1300);
}

/* That run ended before it had anything built for it. */
static void one_that_was_hot_and_not_built_counts_at_once(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };
	struct cof_history_record r = record_here(1, 1);

	(void)state;
	cof_free_mem(r.method[0].profile);
	r.method[0].profile = NULL;
	r.method[0].profile_bytes = 0;
	r.method[0].plan = COF_PLAN_NONE;
	r.method[0].promised_permille = 0;
	counted = 0;
	host.instrument = count_it;
	host.collect = collect_it;
	remember(r);
	start("mode=auto,source=none,generation_ms=20");
	toy_add(&toy, &m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	wait_until(counted, toy.cof->flow);
	stop_and_balance();
	assert_int_equal(counted, 1);
	assert_int_equal(toy.cof->flow->optimizer.known, 1);
	end_run();
}

static void a_profile_the_host_refuses_is_dropped(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	refuse = 1;
	start_with_a_profile(&m0);
	toy_call(&m0, 1);
	wait_until(loaded, toy.cof->flow);
	assert_int_equal(toy_call(&m0, 1).value, 1 + 1024);
	stop_and_balance();
	assert_int_equal(loaded, 1);
	assert_int_equal(toy.cof->flow->profile.built, 0);
	end_run();
}

/* -- A store that does not do---------------------------------------------- */

static void a_locked_store_keeps_nobody_waiting(void **state)
{
	char why[COF_WHY_BYTES] = "";
	sqlite3 *db;

	(void)state;
	expect_threads(0);	/* the last ones of a test before may linger */
	remember_no_gain();
	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
			 SQLITE_OK);
	snprintf(options, sizeof(options), "stats=none,verbose,mode=auto,"
		 "source=none,history_wait_ms=20,history=%s", history_path);
	assert_int_equal(cof_start(&host, options, why, &toy.cof), 0);
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	assert_non_null(strstr(logged, "history: ignored: it did not answer"));
	stop();		/* and this does not wait for the lock either */
	assert_non_null(strstr(logged, "this run is not remembered"));
	sqlite3_close(db);
	expect_threads(0);		/* the courier, on its last errand */
}

static void a_place_that_is_refused_is_said_once(void **state)
{
	const char *at;

	(void)state;
	snprintf(history_path, sizeof(history_path), "/proc/nothing/here.db");
	start("mode=auto,source=none");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	stop();
	at = strstr(logged, "/proc/nothing");
	assert_non_null(at);
	assert_null(strstr(at + 1, "/proc/nothing"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup_run, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(without_a_gain_nothing_is_sampled),
		T(another_mode_is_not_turned_off),
		T(short_runs_turn_it_off_and_their_time_is_kept),
		T(a_short_program_that_takes_longer_is_on_again),
		T(a_program_that_is_over_at_once_is_not_looked_up),
		T(one_that_is_not_is_looked_up_then),
		T(the_known_hot_set_is_built_without_a_sample),
		T(one_of_another_shape_is_not_believed),
		T(a_known_profile_takes_the_place_of_counting),
		T(what_was_measured_to_be_faster_is_believed),
		T(what_was_not_is_tried),
		T(now_and_then_all_is_tried),
		T(what_a_trial_saw_is_remembered),
		T(one_that_was_hot_and_not_built_counts_at_once),
		T(a_profile_the_host_refuses_is_dropped),
		T(a_locked_store_keeps_nobody_waiting),
		T(a_place_that_is_refused_is_said_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
