/*
 * test_history_auto.c - what mode auto does with what earlier runs left
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "history_run.h"
#include "tests/support/balance.h"
#include "tests/support/libcof_threads.h"
#include "threads/threads.h"

/* -- What auto does -------------------------------------------------------- */

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
	assert_null(toy.cof->threads->list);	/* no other thread frees it */
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
	start("mode=auto,auto_short_ms=3600000");
	assert_false(cof_has_begun(toy.cof));
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_SHORT);
	assert_true(past.run[0].cpu_ns > 0);
	assert_true(past.run[0].ended);
}

/*
 * A program that was short gets a larger input. This process has used some CPU
 * time by now, so a millisecond is over soon.
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

/* Where only samples make methods known, nothing is lost by waiting. */
static void a_program_that_is_over_at_once_is_not_looked_up(void **state)
{
	(void)state;
	host.locate = locate_nothing;
	host.cached_version = NULL;
	start("mode=auto,source=timer,auto_start_ms=3600000");
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
	host.cached_version = NULL;
	start("mode=auto,source=timer,auto_start_ms=1");
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

/* nginx, for one, clears its environment early; daemons go to /. */
static void a_late_look_is_where_the_program_began(void **state)
{
	static const char *const where[] = { "history=",
					     "history=cof/late.db" };
	char home[sizeof(history_dir)], was[256], more[100];

	(void)state;
	host.locate = locate_nothing;
	host.cached_version = NULL;
	strcpy(home, history_dir);
	assert_non_null(getcwd(was, sizeof(was)));
	for (int i = 0; i < 2; i++) {
		setenv("XDG_DATA_HOME", home, 1);
		assert_int_equal(chdir(home), 0);
		snprintf(more, sizeof(more), "mode=auto,source=timer,"
			 "auto_start_ms=1,%s", where[i]);
		start(more);
		clearenv();
		assert_int_equal(chdir("/"), 0);
		assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
		wait_until(cof_has_begun(toy.cof), toy.cof->flow);
		cof_thread_detach(toy.cof);
		stop();
		assert_int_equal(load(1), COF_HISTORY_OK);
		assert_int_equal(past.n_runs, 1);
		snprintf(history_path, sizeof(history_path),
			 "%s/cof/late.db", home);
	}
	assert_int_equal(chdir(was), 0);
}

/* -- A store that cannot be used ------------------------------------------- */

static void a_locked_store_keeps_nobody_waiting(void **state)
{
	char why[COF_WHY_BYTES] = "";
	sqlite3 *db;

	(void)state;
	expect_libcof_threads(0);	/* those of before may linger */
	remember_no_gain();
	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
			 SQLITE_OK);
	snprintf(options, sizeof(options), "stats=none,verbose,mode=auto,"
		 "source=none,history_wait_ms=20,history=%s", history_path);
	assert_int_equal(cof_start(&host, options, why, &toy.cof), 0);
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	assert_non_null(strstr(logged, "history: ignored: it did not answer"));
	stop();		/* does not wait for the lock either */
	assert_non_null(strstr(logged, "this run is not remembered"));
	sqlite3_close(db);
	expect_libcof_threads(0);	/* the I/O thread, at its last one */
}

static void a_refused_path_is_logged_once(void **state)
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
		T(a_late_look_is_where_the_program_began),
		T(a_locked_store_keeps_nobody_waiting),
		T(a_refused_path_is_logged_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
