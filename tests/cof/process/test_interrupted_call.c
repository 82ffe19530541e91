/*
 * test_interrupted_call.c - calls that wait end, or go on, as without libcof
 *
 * A child waits in read(2). It is stopped while it gets libcof's signal and one
 * of its own, and so finds both in its queue, libcof's first.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/libc_signal.h"
#include "process/process.h"
#include "raise.h"
#include "tests/support/valgrind.h"

enum { ENDED = 1, INTERRUPTED = 2 };	/* the read, as the child's status */

static _Atomic int *count;	/* [0] libcof's handler, [1] the child's own */

static void on_ours(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)info, (void)ucontext;
	atomic_fetch_add(&count[0], 1);
}

static void on_own(int sig)
{
	(void)sig;
	atomic_fetch_add(&count[1], 1);
}

static void read_it(int fd, int flags, int blocked)
{
	struct sigaction act = { .sa_handler = on_own, .sa_flags = flags };
	sigset_t own;
	char byte;
	ssize_t n;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	sigemptyset(&own);
	sigaddset(&own, SIGUSR1);
	if (blocked)
		sigprocmask(SIG_BLOCK, &own, NULL);
	if (sigaction(SIGUSR1, &act, NULL) != 0 ||
	    cof_process_signal_install(COF_LIBC_SIGNAL_CANCEL, on_ours) != 0)
		_exit(0);
	n = read(fd, &byte, 1);
	_exit(n == 0 ? ENDED : n < 0 && errno == EINTR ? INTERRUPTED : 0);
}

/* Until it waits in read(2), as the kernel says. */
static void await_read(pid_t pid)
{
	char name[32], line[256] = "";
	long number = -1;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/syscall", (int)pid);
	while (number != SYS_read) {
		f = fopen(name, "r");
		assert_non_null(f);
		if (!fgets(line, sizeof(line), f) ||
		    sscanf(line, "%ld", &number) != 1)
			number = -1;
		fclose(f);
	}
}

static void as_timer(pid_t pid)
{
	siginfo_t info = { .si_signo = COF_LIBC_SIGNAL_CANCEL,
			   .si_code = SI_TIMER };

	info.si_value.sival_ptr = &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
	assert_int_equal(syscall(SYS_rt_tgsigqueueinfo, pid, pid,
				 COF_LIBC_SIGNAL_CANCEL, &info), 0);
}

/* How the read came off. `own`: the child gets its own signal as well. */
static int result(int flags, int blocked, int own)
{
	int fd[2], status;
	pid_t pid;

	atomic_store(&count[0], 0);
	atomic_store(&count[1], 0);
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(fd[1]);
		read_it(fd[0], flags, blocked);
	}
	await_read(pid);
	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	as_timer(pid);
	if (own)
		kill(pid, SIGUSR1);
	kill(pid, SIGCONT);
	while (atomic_load(&count[0]) == 0 ||
	       (own && !blocked && atomic_load(&count[1]) == 0))
		sched_yield();
	close(fd[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(fd[0]);
	assert_true(WIFEXITED(status));
	assert_int_equal(atomic_load(&count[0]), 1);
	assert_int_equal(atomic_load(&count[1]), own && !blocked);
	return WEXITSTATUS(status);
}

static int skipped(void **state)
{
	(void)state;
	skip_under_tsan();
	skip_under_valgrind();	/* late */
	return 0;
}

static void a_handler_without_sa_restart_ends_the_call(void **state)
{
	skipped(state);
	assert_int_equal(result(0, 0, 1), INTERRUPTED);
}

static void one_with_sa_restart_does_not(void **state)
{
	skipped(state);
	assert_int_equal(result(SA_RESTART, 0, 1), ENDED);
}

static void a_blocked_signal_ends_nothing(void **state)
{
	skipped(state);
	assert_int_equal(result(0, 1, 1), ENDED);
}

static void libcofs_own_signal_ends_nothing(void **state)
{
	skipped(state);
	assert_int_equal(result(0, 0, 0), ENDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handler_without_sa_restart_ends_the_call),
		cmocka_unit_test(one_with_sa_restart_does_not),
		cmocka_unit_test(a_blocked_signal_ends_nothing),
		cmocka_unit_test(libcofs_own_signal_ends_nothing),
	};

	count = mmap(NULL, sizeof(int[2]), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return count == MAP_FAILED ? 1 :
				     cmocka_run_group_tests(tests, NULL, NULL);
}
