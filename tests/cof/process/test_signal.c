/*
 * test_signal.c - libcof and the program share a signal, in any order
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cof.h"
#include "process/process.h"
#include "raise.h"

static volatile sig_atomic_t ours, theirs, over;
static siginfo_t seen;

static void on_ours(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)ucontext;
	seen = *info;
	ours++;
	errno = EDOM;
}

static void on_theirs(int sig)
{
	(void)sig;
	theirs++;
}

static void on_theirs_info(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)info;
	theirs += ucontext != NULL;
}

static void set_handler(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	assert_int_equal(sigaction(sig, &sa, NULL), 0);
}

/* Raise it for this thread, as one of libcof's timers does. */
static void raise_ours(int sig)
{
	assert_int_equal(raise_as_timer(gettid(), sig), 0);
}

static int clean(void **state)
{
	(void)state;
	ours = theirs = over = 0;
	set_handler(SIGPROF, SIG_DFL, 0);
	return 0;
}

static void our_signals_come_to_us_and_keep_errno(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	errno = 0;
	raise_ours(SIGPROF);
	assert_int_equal(errno, 0);
	assert_int_equal(ours, 1);
	assert_int_equal(seen.si_code, SI_TIMER);
	cof_process_signal_remove(SIGPROF);
}

static void others_go_to_the_handler_that_was_there(void **state)
{
	uint64_t chained = cof_process_signal_chained();
	struct sigaction sa = { .sa_sigaction = on_theirs_info,
				.sa_flags = SA_SIGINFO };

	(void)state;
	skip_under_tsan();
	set_handler(SIGPROF, on_theirs, 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	assert_int_equal(theirs, 1);
	cof_process_signal_remove(SIGPROF);

	assert_int_equal(sigaction(SIGPROF, &sa, NULL), 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	assert_int_equal(theirs, 2);
	cof_process_signal_remove(SIGPROF);
	/* And it is installed again. */
	raise(SIGPROF);
	assert_int_equal(theirs, 3);
	assert_int_equal(ours, 0);
	assert_int_equal(cof_process_signal_chained() - chained, 2);
}

static void an_ignored_signal_stays_ignored(void **state)
{
	(void)state;
	skip_under_tsan();
	set_handler(SIGPROF, SIG_IGN, 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	cof_process_signal_remove(SIGPROF);
	assert_int_equal(ours + theirs, 0);
}

/* How a child that runs `body` ends, as wait(2) says it. */
static int end_of_child(void (*body)(void))
{
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		alarm(120);
		body();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void die_by_default(void)
{
	cof_process_signal_install(SIGPROF, on_ours);
	raise(SIGPROF);
}

static void survive_by_default(void)
{
	/* SIGURG is ignored by default: libcof's handler must be back after
	 * it. */
	if (cof_process_signal_install(SIGURG, on_ours) != 0)
		_exit(1);
	raise(SIGURG);
	raise_ours(SIGURG);
	_exit(ours == 1 ? 42 : 2);
}

static void the_default_action_is_the_kernels(void **state)
{
	int status = end_of_child(die_by_default);

	(void)state;
	skip_under_tsan();
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGPROF);
	status = end_of_child(survive_by_default);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

static void look_at_mask(int sig)
{
	sigset_t now;

	pthread_sigmask(SIG_SETMASK, NULL, &now);
	theirs += sigismember(&now, SIGUSR1) && !sigismember(&now, sig);
}

static void a_chained_handler_has_its_own_mask_and_flags(void **state)
{
	struct sigaction sa = { .sa_handler = look_at_mask,
				.sa_flags = SA_NODEFER | (int)SA_RESETHAND };
	struct sigaction now;
	sigset_t after;

	(void)state;
	skip_under_tsan();
	sigaddset(&sa.sa_mask, SIGUSR1);
	assert_int_equal(sigaction(SIGPROF, &sa, NULL), 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	assert_int_equal(theirs, 1);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_false(sigismember(&after, SIGUSR1));
	/* SA_RESETHAND: once. */
	assert_int_equal(cof_sigaction(SIGPROF, NULL, &now), 0);
	assert_ptr_equal(now.sa_handler, SIG_DFL);
	cof_process_signal_remove(SIGPROF);
}

static void the_programs_sigaction_does_not_take_the_signal(void **state)
{
	struct sigaction sa = { .sa_handler = on_theirs }, old;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_sigaction(SIGPROF, &sa, &old), 0);
	assert_ptr_equal(old.sa_handler, SIG_DFL);
	raise(SIGPROF);
	raise_ours(SIGPROF);
	assert_int_equal(theirs, 1);
	assert_int_equal(ours, 1);
	assert_int_equal(cof_sigaction(SIGPROF, NULL, &old), 0);
	assert_ptr_equal(old.sa_handler, on_theirs);
	cof_process_signal_remove(SIGPROF);
	/* The program's action stays. */
	assert_int_equal(sigaction(SIGPROF, NULL, &old), 0);
	assert_ptr_equal(old.sa_handler, on_theirs);
}

static void other_signals_are_sigactions_business(void **state)
{
	struct sigaction sa = { .sa_handler = on_theirs }, old;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_sigaction(SIGUSR2, &sa, NULL), 0);
	assert_int_equal(sigaction(SIGUSR2, NULL, &old), 0);
	assert_ptr_equal(old.sa_handler, on_theirs);
	set_handler(SIGUSR2, SIG_DFL, 0);
	errno = 0;
	assert_int_equal(cof_sigaction(SIGKILL, &sa, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

static struct sigaction before_over;

/* A handler over libcof's that passes on signals that are not its own. */
static void on_over(int sig, siginfo_t *info, void *ucontext)
{
	over++;
	if (before_over.sa_flags & SA_SIGINFO)
		before_over.sa_sigaction(sig, info, ucontext);
	else if (before_over.sa_handler != SIG_DFL)
		before_over.sa_handler(sig);
}

static void a_stolen_signal_is_taken_back_without_a_circle(void **state)
{
	struct sigaction sa = { .sa_sigaction = on_over,
				.sa_flags = SA_SIGINFO };

	(void)state;
	skip_under_tsan();
	set_handler(SIGPROF, on_theirs, 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_process_signal_check(SIGPROF), 0);
	assert_int_equal(sigaction(SIGPROF, &sa, &before_over), 0);
	assert_int_equal(cof_process_signal_check(SIGPROF), 1);
	assert_int_equal(cof_process_signal_check(SIGPROF), 0);
	raise_ours(SIGPROF);
	assert_int_equal(ours, 1);
	assert_int_equal(over, 0);
	/* Not libcof's: the upper handler, then by libcof's the one below. */
	raise(SIGPROF);
	assert_int_equal(over, 1);
	assert_int_equal(theirs, 1);
	cof_process_signal_remove(SIGPROF);
}

static void who_insists_on_the_signal_gets_it(void **state)
{
	int back = 0;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	for (int i = 0; i < 10; i++) {
		set_handler(SIGPROF, on_theirs, 0);
		back += cof_process_signal_check(SIGPROF);
	}
	assert_int_equal(back, COF_SIGNAL_LEVELS - 1);
	cof_process_signal_remove(SIGPROF);
	raise(SIGPROF);
	assert_int_equal(theirs, 1);
}

static void one_signal_serves_all_users(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_process_signal_install(SIGUSR2, on_ours),
			 -COF_E_STATE);
	cof_process_signal_remove(SIGPROF);
	raise_ours(SIGPROF);
	assert_int_equal(ours, 1);
	cof_process_signal_remove(SIGPROF);
	assert_int_equal(cof_process_signal_install(SIGKILL, on_ours),
			 -COF_E_PERM);
	assert_int_equal(cof_process_signal_install(SIGUSR2, on_ours), 0);
	cof_process_signal_remove(SIGUSR2);
}

static void a_signal_still_pending_at_the_end_does_not_kill(void **state)
{
	sigset_t set, before;

	(void)state;
	skip_under_tsan();
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	raise_ours(SIGPROF);
	cof_process_signal_remove(SIGPROF);
	pthread_sigmask(SIG_SETMASK, &before, NULL);	/* or die here */
	assert_int_equal(ours, 0);
}

#define T(name) cmocka_unit_test_setup(name, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(our_signals_come_to_us_and_keep_errno),
		T(others_go_to_the_handler_that_was_there),
		T(an_ignored_signal_stays_ignored),
		T(the_default_action_is_the_kernels),
		T(a_chained_handler_has_its_own_mask_and_flags),
		T(the_programs_sigaction_does_not_take_the_signal),
		T(other_signals_are_sigactions_business),
		T(a_stolen_signal_is_taken_back_without_a_circle),
		T(who_insists_on_the_signal_gets_it),
		T(one_signal_serves_all_users),
		T(a_signal_still_pending_at_the_end_does_not_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
