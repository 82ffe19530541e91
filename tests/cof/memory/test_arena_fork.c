/*
 * test_arena_fork.c - a fork runs jemalloc's hooks only if a user is in
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory/arena_fork.h"
#include "tests/support/child.h"
#include "tests/support/valgrind.h"

static int n_prepare, n_parent, n_child, n_meet;

static void on_prepare(void) { n_prepare++; }
static void on_parent(void) { n_parent++; }
static void on_child(void) { n_child++; }
static void on_meet(void) { n_meet++; }

static int setup(void **state)
{
	(void)state;
	n_prepare = n_parent = n_child = 0;
	return 0;
}

static void all_are_out(void)
{
	assert_int_equal(atomic_load(&cof_arena_fork_users), 0);
}

static void no_user_is_in(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(n_child + (int)atomic_load(&cof_arena_fork_users));
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(n_prepare + n_parent, 0);
	all_are_out();
}

static void the_forking_thread_is_in(void **state)
{
	pid_t pid;

	(void)state;
	cof_arena_fork_enter();
	cof_arena_fork_enter();
	pid = fork();
	if (pid == 0) {
		cof_arena_fork_leave();
		cof_arena_fork_leave();
		_exit(n_prepare == 1 && n_child == 1 && n_parent == 0 ? 0 : 1);
	}
	cof_arena_fork_leave();
	cof_arena_fork_leave();
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(n_prepare, 1);
	assert_int_equal(n_parent, 1);
	assert_int_equal(n_child, 0);
	all_are_out();
}

static void *fork_twice(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (exit_of(pid) != 0)
			return "failed";
	}
	return NULL;
}

/* jemalloc knows each thread before its first fork. */
static void a_thread_that_forks_is_known(void **state)
{
	pthread_t thread;
	void *failed;

	(void)state;
	n_meet = 0;
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(pthread_create(&thread, NULL, fork_twice,
						NULL), 0);
		pthread_join(thread, &failed);
		assert_null(failed);
		assert_int_equal(n_meet, i);
	}
}

static _Atomic int stop;

static void *come_and_go(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		cof_arena_fork_enter();
		cof_arena_fork_leave();
	}
	return NULL;
}

/*
 * In a child: enter runs jemalloc's hook first. It runs a second time if a user
 * is counted for ever and this is a child's child.
 */
static int comes_in(void)
{
	alarm(120);
	cof_arena_fork_enter();
	cof_arena_fork_leave();
	cof_arena_fork_pay();
	return n_child >= 1 && n_child <= 2 &&
	       !(atomic_load(&cof_arena_fork_users) &
		 (COF_ARENA_FORK_SHUT | COF_ARENA_FORK_OWES)) ? 0 : 1;
}

/* A child of a child that did not need jemalloc before. */
static int grandchild_comes_in(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(comes_in());
	return exit_of(pid) + comes_in();
}

/* Fork while another thread comes and goes. Child number i exits with
 * child(i), which is to be 0. */
static void fork_amid_others(int (*child)(int i))
{
	const int forks = under_valgrind() ? 5 : 200;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, come_and_go, NULL), 0);
	for (int i = 0; i < forks; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			_exit(child(i));
		assert_int_equal(exit_of(pid), 0);
	}
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
}

static int either_comes_in(int i)
{
	return i % 2 == 0 ? comes_in() : grandchild_comes_in();
}

/* Whichever way a fork went, the child can come in, and the count is right. */
static void others_come_and_go_meanwhile(void **state)
{
	(void)state;
	fork_amid_others(either_comes_in);
	assert_int_equal(n_prepare, n_parent);
	all_are_out();
}

static int users_now(int i)
{
	(void)i;
	return (int)atomic_load(&cof_arena_fork_users);
}

/* Before jemalloc began there are no hooks to run: a fork waits until all are
 * out, and its child finds it open. */
static void before_jemalloc_a_fork_waits(void **state)
{
	(void)state;
	fork_amid_others(users_now);
	atomic_store(&stop, 0);
	all_are_out();
}

int main(void)
{
	const struct CMUnitTest before[] = {
		cmocka_unit_test(before_jemalloc_a_fork_waits),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(no_user_is_in, setup),
		cmocka_unit_test_setup(the_forking_thread_is_in, setup),
		cmocka_unit_test_setup(a_thread_that_forks_is_known, setup),
		cmocka_unit_test_setup(others_come_and_go_meanwhile, setup),
	};

	if (cof_arena_fork_register() != 0 ||
	    cmocka_run_group_tests(before, NULL, NULL) != 0 ||
	    cof_arena_fork_atfork(on_prepare, on_parent, on_child,
				  on_meet) != 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
