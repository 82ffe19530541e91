/*
 * test_unseen_thread.c - nothing is freed while the process has a thread that
 * did not attach, if the host says that all do
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>

#include "process/own_threads.h"
#include "process/proc_stat.h"
#include "reclaim.h"
#include "reclaim/unseen_thread.h"
#include "tests/cof/process/raise.h"

static sem_t there, go;

static void *attaches_when_told(void *unused)
{
	(void)unused;
	sem_post(&there);
	sem_wait(&go);
	cof_thread_attach(cof, NULL, NULL);
	sem_post(&there);
	sem_wait(&go);
	cof_thread_detach(cof);
	return NULL;
}

static pthread_t thread_that_attaches_later(void)
{
	pthread_t thread;

	sem_init(&there, 0, 0);
	sem_init(&go, 0, 0);
	assert_int_equal(pthread_create(&thread, NULL, attaches_when_told,
					NULL), 0);
	sem_wait(&there);
	return thread;
}

static void end(pthread_t thread)
{
	sem_post(&go);
	pthread_join(thread, NULL);
}

/* Searches find nothing in the way but a thread, for at least one round. */
static void give_up_for_a_thread(void)
{
	uint64_t before = count(&reclaimed->unseen_thread);

	one_search();
	assert_int_equal(count(&reclaimed->unseen_thread), before + 1);
	assert_int_equal(count(&reclaimed->waiting), 1);
	assert_int_equal(count(&reclaimed->no_answer), 0);
}

static void it_keeps_code_until_it_has_attached(void **state)
{
	pthread_t thread;

	(void)state;
	skip_under_tsan();	/* which has a thread of its own */
	thread = thread_that_attaches_later();
	cof->host.attaches_all = 1;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	for (int i = 0; i < 3; i++)
		give_up_for_a_thread();
	sem_post(&go);
	sem_wait(&there);
	until_free();
	end(thread);
}

static void it_keeps_code_until_it_has_ended(void **state)
{
	pthread_t thread;

	(void)state;
	skip_under_tsan();
	thread = thread_that_attaches_later();
	cof->host.attaches_all = 1;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	give_up_for_a_thread();
	sem_post(&go);
	end(thread);
	until_free();
}

static _Atomic bool is_over;

static void *attaches(void *unused)
{
	cof_thread_attach(cof, NULL, NULL);
	cof_thread_detach(cof);
	return unused;
}

/* Is itself attached, and makes one thread after the other. */
static void *makes_threads(void *unused)
{
	pthread_t made;

	cof_thread_attach(cof, NULL, NULL);
	while (!is_over && pthread_create(&made, NULL, attaches, NULL) == 0)
		pthread_join(made, NULL);
	cof_thread_detach(cof);
	return unused;
}

static void threads_that_come_and_go_do_not_keep_it(void **state)
{
	pthread_t maker;

	(void)state;
	skip_under_tsan();
	cof->host.attaches_all = 1;
	is_over = false;
	assert_int_equal(pthread_create(&maker, NULL, makes_threads, NULL), 0);
	for (int i = 1; i < 20; i++) {
		piece_add_return(cof, method, i);
		until_free();
	}
	is_over = true;
	pthread_join(maker, NULL);
}

static void to_a_host_that_does_not_attach_all_it_is_nothing(void **state)
{
	pthread_t thread = thread_that_attaches_later();

	(void)state;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	until_free();
	assert_false(cof_unseen_thread(cof));
	sem_post(&go);
	end(thread);
}

/* As proc_pid_stat(5) has it, with a name that looks like fields. */
static void the_kernels_threads_are_known_by_a_flag(void **state)
{
	(void)state;
	assert_true(cof_unseen_thread_is_kernels(
		"712 (iou-wrk-700) S 1 700 700 0 -1 4194384 0 0 0 0"));
	assert_false(cof_unseen_thread_is_kernels(
		"712 (a) S 1 2 (b) S 1 700 700 0 -1 4194368 0 0 0 0"));
	assert_false(cof_unseen_thread_is_kernels("712 (a) S 1 2"));
	assert_false(cof_unseen_thread_is_kernels(""));
	assert_string_equal(cof_proc_stat_field("7 (a b) c) S 3", 3), "S 3");
	assert_string_equal(cof_proc_stat_field("7 (a b) c) S 3", 4), "3");
	assert_string_equal(cof_proc_stat_field("7 (a b) c) S 3", 5), "");
}

/* The test is P/O, so it is a thread of libcof's. */
static int own_setup(void **state)
{
	cof_own_threads_enter();
	return setup(state);
}

static int own_teardown(void **state)
{
	cof_own_threads_leave();
	return teardown(state);
}

#define T(name) cmocka_unit_test_setup_teardown(name, own_setup, own_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_keeps_code_until_it_has_attached),
		T(it_keeps_code_until_it_has_ended),
		T(threads_that_come_and_go_do_not_keep_it),
		T(to_a_host_that_does_not_attach_all_it_is_nothing),
		T(the_kernels_threads_are_known_by_a_flag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
