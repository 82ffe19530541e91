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
#include <sys/syscall.h>
#include <unistd.h>

#include "base/libc_signal.h"
#include "cof.h"
#include "process/process.h"
#include "../process/raise.h"

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
	struct sigaction then = { .sa_handler = SIG_IGN };
	sigset_t all, before;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	errno = 0;
	assert_int_equal(raise_as_timer(gettid(), LIBCS), 0);
	assert_int_equal(errno, 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(ours, 1);
	assert_int_equal(cof_sigaction(LIBCS, &then, NULL), -1);
	assert_int_equal(errno, EINVAL);
	cof_process_signal_remove(LIBCS);
}

/* Signals of libc's would go with libcof's. */
static void the_handler_stays_at_the_end(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	cof_process_signal_remove(LIBCS);
	assert_int_equal(raise_as_timer(gettid(), LIBCS), 0);
	assert_int_equal(ours, 0);
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	assert_int_equal(raise_as_timer(gettid(), LIBCS), 0);
	assert_int_equal(ours, 1);
	cof_process_signal_remove(LIBCS);
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

/* libc has set its handler; libcof's is over it. */
static void threads_are_cancelled_by_a_signal_that_is_libcofs(void **state)
{
	uint64_t chained = cof_process_signal_chained();

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	cancel_a_thread();
	assert_true(cof_process_signal_chained() > chained);
	assert_int_equal(cof_process_signal_check(LIBCS), 0);
	assert_int_equal(raise_as_timer(gettid(), LIBCS), 0);
	assert_int_equal(ours, 1);
	cof_process_signal_remove(LIBCS);
}

static volatile sig_atomic_t theirs;

static void on_theirs(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)info, (void)ucontext;
	theirs++;
}

/* A timer's signal of who was there first, when libc's handler is between. */
static void libcs_handler_is_not_in_the_way(void **state)
{
	const struct sigaction act = { .sa_sigaction = on_theirs,
				       .sa_flags = SA_SIGINFO };
	siginfo_t info = { .si_signo = LIBCS, .si_code = SI_TIMER };

	(void)state;
	skip_under_tsan();
	sem_init(&asynchronous, 0, 0);
	assert_int_equal(cof_libc_signal_action(LIBCS, &act, NULL), 0);
	assert_int_equal(cof_process_signal_install(LIBCS, on_ours), 0);
	cancel_a_thread();
	assert_int_equal(cof_process_signal_check(LIBCS), 1);
	assert_int_equal(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(),
				 LIBCS, &info), 0);
	assert_int_equal(theirs, 1);
	assert_int_equal(ours, 0);
	cof_process_signal_remove(LIBCS);
}

#define T(name) cmocka_unit_test_setup(name, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(libcs_handler_is_not_in_the_way),	/* the first cancel */
		T(threads_are_cancelled_by_a_signal_that_is_libcofs),
		T(a_signal_of_libcs_comes_and_no_mask_has_it),
		T(the_handler_stays_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
