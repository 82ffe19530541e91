/*
 * test_child_loop.c - the loop begins anew in a child of fork(2)
 *
 * Children run code in code memory until their counters show it. None of them
 * gives up before alarm(2) ends it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process/forked.h"
#include "process/own_threads.h"
#include "sampler/child_start.h"
#include "split.h"
#include "tests/cof/process/raise.h"
#include "tests/support/child.h"
#include "tests/support/timers.h"
#include "tests/support/valgrind.h"
#include "threads/threads.h"

static struct cof_code code;
static _Atomic bool begins, stops;

static void start(const char *options)
{
	/* mov ecx, 0x100000; dec ecx; jnz to dec; ret */
	static const unsigned char text[] = { 0xb9, 0, 0, 0x10, 0, 0xff, 0xc9,
					      0x75, 0xfc, 0xc3 };

	start_as(options, false);
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &code), 0);
	memcpy(code.write, text, sizeof(text));
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
}

static bool has_loop(void)
{
	return cof_count_get(&cof->flow->threads.child_loops) == 1 &&
	       cof_count_get(&cof->flow->sampler.taken) > 0;
}

static void run_until_loop(void)
{
	while (!has_loop())
		run_code(&code);
}

/* The loop is on; end it as a host does. */
static int end_in_child(void)
{
	if (cof_forked_is_child(cof))
		return 1;
	cof_thread_detach(cof);
	cof_stop(cof);
	if (cof_count_get(&cof->flow->threads.now) != 0)
		return 2;
	/* Its signals would end the process. */
	if (timers_of_process() > 0)
		return 7;
	end();
	return 0;
}

static void in_a_child(int (*run)(void), const char *options)
{
	pid_t pid;

	skip_under_tsan();	/* it knows no threads in children */
	skip_under_valgrind();	/* timers */
	start(options);
	begins = stops = false;
	pid = fork_in_time();
	if (pid == 0)
		_exit(run());
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(cof_count_get(&cof->flow->threads.child_loops), 0);
}

static int hot(void)
{
	run_until_loop();
	return end_in_child();
}

static void it_begins_once_the_child_is_hot(void **state)
{
	(void)state;
	in_a_child(hot, "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static void it_begins_in_modes_full_and_auto(void **state)
{
	(void)state;
	in_a_child(hot, "mode=full,stats=none,source=timer,fork_start_ms=1");
	end_in_child();
	in_a_child(hot, "mode=auto,stats=none,source=timer,fork_start_ms=1");
}

/* As `code`, outside of code memory. */
static int (*own)(void);

static void make_own(void)
{
	/* As in start(). */
	static const unsigned char text[] = { 0xb9, 0, 0, 0x10, 0, 0xff, 0xc9,
					      0x75, 0xfc, 0xc3 };
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	memcpy(p, text, sizeof(text));
	*(void **)&own = p;
	own_code = p;
	own_code_bytes = sizeof(text);
}

static int hot_in_own_code(void)
{
	while (cof_count_get(&cof->flow->threads.child_loops) == 0)
		own();
	return end_in_child();
}

static void it_begins_in_code_of_the_hosts_own(void **state)
{
	(void)state;
	make_own();
	in_a_child(hot_in_own_code,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int hot_and_forks(void)
{
	pid_t pid;
	int status;

	run_until_loop();
	pid = fork();
	if (pid == 0) {
		alarm(120);
		if (!cof_forked_is_child(cof) || has_loop())
			_exit(3);
		_exit(hot());
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return 4;
	return end_in_child();
}

static void it_begins_in_the_childs_child_too(void **state)
{
	(void)state;
	in_a_child(hot_and_forks,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static void *hot_thread(void *arg)
{
	if (cof_thread_attach(cof, NULL, NULL) != 0)
		return NULL;
	run_until_loop();
	cof_thread_detach(cof);
	return arg;
}

static int idle_with_a_hot_thread(void)
{
	pthread_t thread;
	void *done;

	if (pthread_create(&thread, NULL, hot_thread, cof) != 0)
		return 3;
	pthread_join(thread, &done);
	return done ? end_in_child() : 4;
}

static void it_begins_when_another_thread_is_hot(void **state)
{
	(void)state;
	in_a_child(idle_with_a_hot_thread,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int blocks_for_good(void)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	return hot();
}

static void it_begins_where_a_signal_stays_blocked(void **state)
{
	(void)state;
	in_a_child(blocks_for_good,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int stops_first(void)
{
	struct timespec used = { 0 };

	cof_stop(cof);
	while (used.tv_sec < 1) {
		run_code(&code);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	}
	return cof_count_get(&cof->flow->threads.child_loops) == 0 ? 0 : 1;
}

static void it_does_not_begin_once_the_child_has_stopped_it(void **state)
{
	(void)state;
	in_a_child(stops_first,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int refuses(void)
{
	return 1;
}

static int hot_in_vain(void)
{
	while (!cof_child_start_is_over(cof))
		run_code(&code);
	/* All goes on as before. */
	run_code(&code);
	cof_stop(cof);
	return cof_forked_is_child(cof) ? 0 : 1;
}

static void it_does_not_begin_where_the_host_refuses(void **state)
{
	(void)state;
	child_begins = refuses;
	in_a_child(hot_in_vain,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int until_it_is_stopped(void)
{
	begins = true;
	while (!stops)
		sched_yield();
	return 0;
}

static int stops_amid_the_beginning(void)
{
	while (!begins)
		run_code(&code);
	stops = true;
	cof_stop(cof);
	if (cof_forked_is_child(cof) || !cof->stopped)
		return 1;
	/* None of libcof's threads is left. */
	return (uint32_t)cof_own_threads() == 0 ? 0 : 2;
}

static void a_stop_amid_the_beginning_stops_it(void **state)
{
	(void)state;
	child_begins = until_it_is_stopped;
	in_a_child(stops_amid_the_beginning,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int quiet_amid_the_beginning(void)
{
	while (!begins)
		run_code(&code);
	stops = true;
	cof_quiesce(cof);
	if ((uint32_t)cof_own_threads() != 0)
		return 2;
	/* No timer, no thread: only these calls are left. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return 3;
	for (int i = 0; i < 300; i++)
		run_code(&code);
	syscall(SYS_exit, 0);
	return 4;
}

static void a_filter_amid_the_beginning_is_obeyed(void **state)
{
	(void)state;
	child_begins = until_it_is_stopped;
	in_a_child(quiet_amid_the_beginning,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

static int forks_amid_the_beginning(void)
{
	int status;
	pid_t pid;

	while (!begins)
		run_code(&code);
	pid = fork();
	if (pid == 0) {
		alarm(120);
		stops = true;
		_exit(hot());
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return 5;
	stops = true;
	return hot();
}

static void a_child_forked_amid_the_beginning_begins_too(void **state)
{
	(void)state;
	child_begins = until_it_is_stopped;
	in_a_child(forks_amid_the_beginning,
		   "mode=co,stats=none,source=timer,fork_start_ms=1");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_begins_once_the_child_is_hot),
		T(it_begins_in_modes_full_and_auto),
		T(it_begins_in_code_of_the_hosts_own),
		T(it_begins_in_the_childs_child_too),
		T(it_begins_when_another_thread_is_hot),
		T(it_begins_where_a_signal_stays_blocked),
		T(it_does_not_begin_once_the_child_has_stopped_it),
		T(it_does_not_begin_where_the_host_refuses),
		T(a_stop_amid_the_beginning_stops_it),
		T(a_filter_amid_the_beginning_is_obeyed),
		T(a_child_forked_amid_the_beginning_begins_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
