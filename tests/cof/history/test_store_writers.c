/*
 * test_store_writers.c - one file, several writers, and kill -9
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "history_store.h"
#include "tests/support/patience.h"
#include "tests/support/valgrind.h"

static void a_locked_file_is_given_up_in_time(void **state)
{
	char why[COF_HISTORY_WHY];
	struct cof_history_store *store;
	struct cof_history_record r = history_record(1, 2, 3);
	sqlite3 *db;

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
			 SQLITE_OK);
	/* The deadline has passed when the store is opened. */
	assert_int_equal(cof_history_store_open(history_path,
						COF_HISTORY_WRITE,
						cof_clock_ns(), &store, why),
			 COF_HISTORY_BUSY);
	sqlite3_close(db);
	assert_int_equal(save(1, 2, 3), COF_HISTORY_OK);
	cof_history_record_free(&r);
}

/* Saves and loads until it is killed. A run has as many methods as generations,
 * so that its parts can be compared. */
static void writer(unsigned program)
{
	for (int64_t i = 0;; i++) {
		uint32_t n = 1 + (uint32_t)(i * 37 % 200);
		struct cof_history_record r =
			history_record(program, cof_clock_ns() % SECOND, n);

		r.run.generations = n;
		(void)history_save(history_path, r, &history_limits);
		if (i % 4 == 0)
			load(program);
	}
}

/* The hot set is from the latest five runs: what one lacked would be
 * missing. */
static void check_whole(unsigned program)
{
	enum cof_history_result r = load(program);
	int64_t samples = 0, expected = 0;
	uint32_t n = 0;

	assert_true(r == COF_HISTORY_OK || r == COF_HISTORY_NOTHING);
	if (r != COF_HISTORY_OK)
		return;
	for (uint32_t i = 0; i < past.n_runs && i < 5; i++) {
		uint32_t has = (uint32_t)past.run[i].generations;

		for (uint32_t k = 0; k < has; k++)
			expected += 1000 / (k + 1);
		n = has > n ? has : n;
	}
	for (uint32_t i = 0; i < past.n_methods; i++)
		samples += past.method[i].samples;
	assert_int_equal(past.n_methods, n);
	assert_int_equal(samples, expected);
}

static pid_t start_writer(unsigned program)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(120);
		writer(program);
	}
	return pid;
}

static void killing_writers_at_any_moment_damages_nothing(void **state)
{
	const int      kills = under_valgrind() ? 40 : 120;
	const uint32_t nap_ns = under_valgrind() ? 400000000 : 25000000;
	pid_t pid[2] = { start_writer(1), start_writer(2) };
	uint32_t random = (uint32_t)cof_clock_ns();
	uint32_t runs = 0;
	struct patience p = patience_begin();

	(void)state;
	/* On a busy machine, a writer may be killed before it has saved. */
	for (int i = 0; i < kills || (runs == 0 && !patience_is_over(&p));
	     i++) {
		struct timespec nap = { 0 };
		unsigned k = (unsigned)i % 2;

		random = random * 1664525 + 1013904223;
		nap.tv_nsec = (long)(random % nap_ns);
		nap.tv_sec = i / kills;
		nanosleep(&nap, NULL);
		assert_int_equal(kill(pid[k], SIGKILL), 0);
		assert_int_equal(waitpid(pid[k], NULL, 0), pid[k]);
		check_whole(k + 1);
		runs += past.n_runs;
		pid[k] = start_writer(k + 1);
	}
	for (int k = 0; k < 2; k++) {
		kill(pid[k], SIGKILL);
		waitpid(pid[k], NULL, 0);
		check_whole((unsigned)k + 1);
	}
	assert_true(runs > 0);
	assert_false(exists(".damaged"));
	assert_false(exists(".2"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_locked_file_is_given_up_in_time),
		T(killing_writers_at_any_moment_damages_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
