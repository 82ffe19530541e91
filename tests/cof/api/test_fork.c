/*
 * test_fork.c - parent and child of a fork: code, threads and locks
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tsan.h"
#include "codemem/code_range.h"
#include "codemem/codemem.h"
#include "process/forked.h"
#include "split.h"
#include "tests/cof/process/raise.h"
#include "tests/support/balance.h"
#include "tests/support/child.h"
#include "tests/support/valgrind.h"
#include "threads/threads.h"

static void start(const char *options)
{
	start_as(options, false);
}

static void parent_and_child_have_code_of_their_own(void **state)
{
	struct cof_code code;
	struct turns turns;
	int status;
	pid_t pid;

	(void)state;
	start("mode=off,stats=none");
	code = new_ret(1);
	turns = open_turns();
	assert_int_equal(cof_forked_is_child(cof), 0);
	pid = fork_in_time();
	if (pid == 0) {
		struct cof_code more;

		wait_for(turns.to_child);
		if (run_code(&code) != 1)
			_exit(1);	/* it sees the parent's change */
		write_ret(&code, 3);
		if (run_code(&code) != 3)
			_exit(2);
		if (!cof_forked_is_child(cof))
			_exit(3);
		/* Code memory still works, and so does another fork. */
		if (cof_code_alloc(cof, 4096, COF_CODE_HOT, &more) != 0)
			_exit(4);
		write_ret(&more, 9);
		pid = fork();
		if (pid == 0)
			_exit(run_code(&more) + run_code(&code));
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != 12)
			_exit(5);
		say_done(turns.to_parent);
		end();
		_exit(0);
	}
	write_ret(&code, 2);
	say_done(turns.to_child);
	wait_for(turns.to_parent);
	assert_int_equal(run_code(&code), 2);
	assert_int_equal(exit_of(pid), 0);
	close_turns(&turns);
	end();
}

/* Set a limit; returns the one before. */
static struct rlimit limit(__rlimit_resource_t what, rlim_t to)
{
	struct rlimit before, now;

	assert_int_equal(getrlimit(what, &before), 0);
	now = before;
	now.rlim_cur = to;
	assert_int_equal(setrlimit(what, &now), 0);
	return before;
}

static void they_have_it_also_where_files_must_be_small(void **state)
{
	struct rlimit all;

	skip_under_valgrind();		/* mremap */
	all = limit(RLIMIT_FSIZE, 4096);
	parent_and_child_have_code_of_their_own(state);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
}

static void a_child_has_no_loop_and_one_thread(void **state)
{
	pid_t pid;

	(void)state;
	skip_under_tsan();
	start("mode=co,stats=none,signal=27");
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	pid = fork_in_time();
	if (pid == 0) {
		if (cof_count_get(&cof->flow->threads.now) != 1)
			_exit(1);
		if (cof_thread_attach(cof, NULL, NULL) != -COF_E_STATE)
			_exit(2);
		/* A sampling signal, whoever sends it, does no harm. */
		if (raise_as_timer(gettid(), SIGPROF) != 0)
			_exit(4);
		cof_thread_detach(cof);
		if (cof_count_get(&cof->flow->threads.now) != 0 ||
		    cof->threads->list)
			_exit(3);
		cof_stop(cof);
		end();
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(cof_count_get(&cof->flow->threads.now), 1);
	cof_thread_detach(cof);
	end();
}

static _Atomic int stop_coming;

static void *come_and_go(void *arg)
{
	while (!atomic_load(&stop_coming)) {
		struct cof_code code;

		if (cof_thread_attach(arg, NULL, NULL) != 0)
			continue;
		if (cof_code_alloc(arg, 64, COF_CODE_HOT, &code) == 0)
			cof_code_free(arg, &code);
		cof_thread_detach(arg);
	}
	return NULL;
}

static volatile sig_atomic_t of_its_timer;

static void count_its_timer(int sig)
{
	(void)sig;
	of_its_timer++;
}

static void a_childs_profiling_timer_is_its_own(void **state)
{
	const struct itimerval ms = { { 0, 1000 }, { 0, 1000 } };
	pid_t pid;

	(void)state;
#ifdef COF_TSAN
	skip();		/* it hands out no signal in such a child */
#endif
	signal(SIGPROF, count_its_timer);
	start("mode=co,source=itimer,stats=none");
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	of_its_timer = 0;
	pid = fork_in_time();
	if (pid == 0) {
		setitimer(ITIMER_PROF, &ms, NULL);
		while (of_its_timer == 0) {
			for (volatile int i = 0; i < 1000000; i++)
				;
			usleep(1);	/* ThreadSanitizer hands it out */
		}
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(of_its_timer, 0);
	cof_thread_detach(cof);
	end();
}

static bool is_blocked(int sig)
{
	sigset_t now;

	pthread_sigmask(SIG_SETMASK, NULL, &now);
	return sigismember(&now, sig);
}

static bool looks_at_mask, was_blocked;

/* It was registered before libcof's, so it runs after. */
static void look_at_mask(void)
{
	if (looks_at_mask)
		was_blocked = is_blocked(SIGALRM);
}

static void no_handler_comes_amid_a_fork(void **state)
{
	pid_t pid;

	(void)state;
	start("mode=off,stats=none");
	looks_at_mask = true;
	was_blocked = false;
	pid = fork_in_time();
	if (pid == 0)
		_exit(is_blocked(SIGALRM) ? 1 : 0);
	looks_at_mask = false;
	assert_true(was_blocked);
	assert_false(is_blocked(SIGALRM));
	assert_int_equal(exit_of(pid), 0);
	end();
}

static void a_fork_amid_other_threads_finds_every_lock_free(void **state)
{
	const int forks = under_valgrind() ? 5 : 50;	/* seconds each */
	pthread_t thread;

	(void)state;
	start("mode=co,stats=none,code_mb=16");
	assert_int_equal(pthread_create(&thread, NULL, come_and_go, cof), 0);
	for (int i = 0; i < forks; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			struct cof_code code;

			alarm(120);
			if (cof_thread_attach(cof, NULL, NULL) != 0 ||
			    cof_code_alloc(cof, 64, COF_CODE_HOT, &code) != 0)
				_exit(1);
			cof_code_free(cof, &code);
			cof_thread_detach(cof);
			_exit(cof->threads->list ? 2 : 0);
		}
		assert_int_equal(exit_of(pid), 0);
	}
	atomic_store(&stop_coming, 1);
	pthread_join(thread, NULL);
	end();
}

static void skip_under_sanitizers(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();		/* they map memory, which RLIMIT_AS forbids */
#endif
}

/* Fork as a process that can map no more memory and, without `files`, open no
 * file. */
static pid_t fork_without_memory(bool files)
{
	struct rlimit file, memory;
	pid_t pid;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &file), 0);
	if (!files)
		limit(RLIMIT_NOFILE, 0);
	memory = limit(RLIMIT_AS, 0);
	pid = fork();
	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_NOFILE, &file);
	assert_true(pid >= 0);
	return pid;
}

static void end_at_fault(int sig)
{
	(void)sig;
	_exit(42);
}

static void the_child_cannot_write_to_it(bool files)
{
	struct cof_code code;
	pid_t pid;

	code = new_ret(1);
	pid = fork_without_memory(files);
	if (pid == 0) {
		alarm(120);
		if (run_code(&code) != 1 ||
		    !cof_codemem_range(cof->codemem)->closed)
			_exit(1);
		cof_code_range_forget((struct cof_code_range *)
				      cof_codemem_range(cof->codemem),
				      0, 1 << 20);
		if (run_code(&code) != 1)
			_exit(2);
		signal(SIGSEGV, end_at_fault);
		write_ret(&code, 2);
		_exit(3);
	}
	assert_int_equal(exit_of(pid), 42);
	assert_int_equal(run_code(&code), 1);
	cof_code_free(cof, &code);
}

static void a_child_without_a_copy_cannot_write_to_its_parent(void **state)
{
	(void)state;
	skip_under_sanitizers();
	skip_under_valgrind();	/* memory */
	start("mode=off,stats=none");
	the_child_cannot_write_to_it(false);
	assert_int_equal(cof_count_get(&cof->flow->reclaim.disabled), 1);
	assert_int_equal(cof_forked_child_shares(), 0);
	end();
}

/* This comes last: the process remembers it. */
static void a_child_that_cannot_map_its_copy_says_so(void **state)
{
	(void)state;
	skip_under_sanitizers();
	skip_under_valgrind();	/* memory */
	start("mode=co,stats=none,source=none");
	the_child_cannot_write_to_it(true);
	assert_int_equal(cof_forked_child_shares(), 1);
	wait_until(cof_count_get(&cof->flow->reclaim.disabled) == 1, cof->flow);
	end();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(no_handler_comes_amid_a_fork),	/* of one thread */
		T(parent_and_child_have_code_of_their_own),
		T(they_have_it_also_where_files_must_be_small),
		T(a_child_has_no_loop_and_one_thread),
		T(a_childs_profiling_timer_is_its_own),
		T(a_fork_amid_other_threads_finds_every_lock_free),
		T(a_child_without_a_copy_cannot_write_to_its_parent),
		T(a_child_that_cannot_map_its_copy_says_so),
	};

	if (pthread_atfork(look_at_mask, NULL, NULL) != 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
