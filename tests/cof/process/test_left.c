/*
 * test_left.c - the host is told when only libcof's threads are left
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tsan.h"
#include "process/left.h"
#include "process/own_threads.h"
#include "tests/support/started.h"

#define TOLD 100

static void on_left_alone(void *ctx, int status)
{
	(void)ctx;
	_exit(TOLD + status);
}

static void *end_later(void *unused)
{
	(void)unused;
	usleep(1000);
	syscall(SYS_exit, 3);
	return NULL;
}

/* A process of its own: how it ends is what is tested. */
static int status_of(const char *options, int threads)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		pthread_t thread;

		host.left_alone = on_left_alone;
		if (cof_start(&host, options, why, &toy.cof) != 0)
			_exit(99);
		for (int i = 0; i < threads; i++)
			if (pthread_create(&thread, NULL, end_later, NULL) != 0)
				_exit(98);
		syscall(SYS_exit, 7);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_process_of_libcofs_threads_is_ended_by_the_host(void **state)
{
	(void)state;
#ifdef COF_TSAN
	skip();			/* its own thread is never the last one */
#endif
	assert_int_equal(status_of("mode=co,stats=none,history=none", 0),
			 TOLD + 7);
	assert_int_equal(status_of("mode=pgo,stats=none,history=none", 0),
			 TOLD + 7);
	assert_int_equal(status_of("mode=auto,stats=none,history=none", 3),
			 TOLD + 7);
}

static void a_process_with_a_thread_of_its_own_goes_on(void **state)
{
	int status;

	(void)state;
	host.left_alone = on_left_alone;
	assert_int_equal(start("mode=co,stats=none,history=none"), 0);
	assert_false(cof_left_by_first());
	assert_false(cof_left_alone(toy.cof, &status));
	end();
	assert_int_equal((uint32_t)cof_own_threads(), 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_process_of_libcofs_threads_is_ended_by_the_host),
		T(a_process_with_a_thread_of_its_own_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
