/*
 * test_jitinfo_readers.c - addresses lead to their version while others change
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "indexed.h"

static _Atomic bool     stop;
static _Atomic uint32_t ready;

/* The address of v[i]: versions have 40 bytes, and a page has 20 of them. */
static uintptr_t place(uint32_t i)
{
	return BASE + 200 * i;
}

/* Even versions stay; odd ones come and go. Returns the number of errors. */
static void *read_in_a_loop(void *arg)
{
	uintptr_t wrong = 0;

	(void)arg;
	cof_jitinfo_reader_enter();
	atomic_store(&ready, 1);
	while (!atomic_load(&stop)) {
		for (uint32_t i = 0; i < MANY; i++) {
			struct cof_version *found =
				cof_jitinfo_find(ix, place(i) + 39);

			wrong += found != &v[i] && (found || i % 2 == 0);
		}
		cof_jitinfo_reader_quiet();
	}
	cof_jitinfo_reader_leave();
	return (void *)wrong;
}

static void start_reader(pthread_t *reader)
{
	/* Ranges are constant from now on, since the reader may be late. */
	for (uint32_t i = 0; i < MANY; i++) {
		v[i].code.start = place(i);
		v[i].code.end = place(i) + 40;
	}
	for (uint32_t i = 0; i < MANY; i += 2)
		assert_int_equal(cof_jitinfo_add(ix, &v[i]), 0);
	atomic_store(&stop, false);
	atomic_store(&ready, 0);
	assert_int_equal(pthread_create(reader, NULL, read_in_a_loop, NULL), 0);
	while (!atomic_load(&ready))
		sched_yield();
}

static void stop_reader(pthread_t reader)
{
	void *wrong;

	atomic_store(&stop, true);
	pthread_join(reader, &wrong);
	assert_null(wrong);
}

static void add_and_remove_odd_ones(int rounds)
{
	for (int round = 0; round < rounds; round++) {
		for (uint32_t i = 1; i < MANY; i += 2)
			assert_int_equal(cof_jitinfo_add(ix, &v[i]), 0);
		for (uint32_t i = 1; i < MANY; i += 2)
			cof_jitinfo_remove(ix, &v[i]);
	}
}

static void a_reader_never_misses_what_stays_nor_finds_what_is_not(void **state)
{
	pthread_t reader;

	(void)state;
	start_reader(&reader);
	add_and_remove_odd_ones(100);
	stop_reader(reader);
}

static void *collect_in_a_loop(void *arg)
{
	uintptr_t times = 0;

	(void)arg;
	while (!atomic_load(&stop)) {
		times += cof_jitinfo_is_full(ix);
		cof_jitinfo_collect(ix);
	}
	return (void *)times;
}

static void a_reader_never_reads_what_is_collected(void **state)
{
	pthread_t reader, collector;

	(void)state;
	start_reader(&reader);
	assert_int_equal(pthread_create(&collector, NULL, collect_in_a_loop,
					NULL), 0);
	add_and_remove_odd_ones(100);
	stop_reader(reader);
	pthread_join(collector, NULL);
}

static void the_child_of_a_fork_goes_on_without_the_readers(void **state)
{
	int status = -1, bad = 0;
	pthread_t reader;

	(void)state;
	start_reader(&reader);
	for (int i = 0; i < 20; i++) {
		pid_t child;

		cof_jitinfo_fork_prepare();
		child = fork();
		if (child == 0) {
			cof_jitinfo_fork_child();
			alarm(120);	/* it would wait for a lost reader */
			add_and_remove_odd_ones(10);
			cof_jitinfo_collect(ix);
			_exit(cof_jitinfo_find(ix, place(2)) == &v[2] ? 0 : 1);
		}
		cof_jitinfo_fork_parent();
		add_and_remove_odd_ones(1);
		cof_jitinfo_collect(ix);
		bad += child < 0 || waitpid(child, &status, 0) != child ||
		       status != 0;
	}
	stop_reader(reader);
	assert_int_equal(bad, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_reader_never_misses_what_stays_nor_finds_what_is_not),
		T(a_reader_never_reads_what_is_collected),
		T(the_child_of_a_fork_goes_on_without_the_readers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
