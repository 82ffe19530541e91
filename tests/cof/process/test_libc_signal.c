/*
 * test_libc_signal.c - libcof and libc share a signal that programs cannot name
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "base/libc_signal.h"
#include "process/process.h"
#include "raise.h"

#define LIBCS COF_LIBC_SIGNAL_CANCEL

static volatile sig_atomic_t ours;

static void on_ours(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)info, (void)ucontext;
	ours++;
	errno = EDOM;
}

static int clean(void **state)
{
	(void)state;
	ours = 0;
	return 0;
}

static void a_signal_of_libcs_comes_and_no_mask_has_it(void **state)
{
	struct sigaction now, then;
	sigset_t all, before;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_libc_signal_action(LIBCS, NULL, &now), 0);
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	errno = 0;
	assert_int_equal(raise_as_timer(gettid(), LIBCS), 0);
	assert_int_equal(errno, 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(ours, 1);
	assert_int_equal(sigaction(LIBCS, NULL, &then), -1);
	cof_process_signal_remove(LIBCS);
	assert_int_equal(cof_libc_signal_action(LIBCS, NULL, &then), 0);
	assert_ptr_equal(now.sa_handler, then.sa_handler);
}

static sem_t asynchronous;

/* From the post on libc cancels it by a signal. */
static void *sleep_for_ever(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sem_post(&asynchronous);
	for (;;)
		pause();
	return unused;
}

static void cancel_a_thread(void)
{
	pthread_t thread;
	void *result;

	assert_int_equal(pthread_create(&thread, NULL, sleep_for_ever, NULL),
			 0);
	sem_wait(&asynchronous);
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* libc sets its handler with the first one; libcof's passes the next on. */
static void threads_are_cancelled_by_a_signal_that_is_libcofs(void **state)
{
	uint64_t chained = cof_process_signal_chained();

	(void)state;
	skip_under_tsan();
	sem_init(&asynchronous, 0, 0);
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	cancel_a_thread();
	assert_int_equal(cof_process_signal_check(LIBCS), 1);
	cancel_a_thread();
	assert_true(cof_process_signal_chained() > chained);
	assert_int_equal(raise_as_timer(gettid(), LIBCS), 0);
	assert_int_equal(ours, 1);
	cof_process_signal_remove(LIBCS);
}

#define T(name) cmocka_unit_test_setup(name, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_signal_of_libcs_comes_and_no_mask_has_it),
		T(threads_are_cancelled_by_a_signal_that_is_libcofs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
