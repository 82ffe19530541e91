/*
 * signals.c - SIGURG and SIGRTMIN + 28 are the program's, from its beginning on
 *
 * args: early
 * args: late
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "joined.h"

static volatile sig_atomic_t seen;

static void on_signal(int sig)
{
	seen += sig;
}

static void on_info(int sig, siginfo_t *info, void *context)
{
	seen += sig + info->si_value.sival_int + (context != NULL);
}

static void show(const char *what, const sigset_t *set)
{
	printf("%s", what);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(set, sig) == 1)
			printf(" %d", sig);
	printf("\n");
}

static void mask(int sig)
{
	sigset_t all, old, pending;
	struct timespec none = { 0, 0 };

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	show("before", &old);
	sigprocmask(SIG_UNBLOCK, NULL, &old);
	show("all", &old);
	sigpending(&pending);
	show("pending", &pending);
	sigemptyset(&all);
	sigaddset(&all, sig);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	sigprocmask(SIG_BLOCK, NULL, &old);
	show("without", &old);
	printf("%d\n", sigtimedwait(&all, NULL, &none));
	sigemptyset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void disposition(int sig)
{
	struct sigaction act = { .sa_sigaction = on_info,
				 .sa_flags = SA_SIGINFO }, old;

	sigaction(sig, NULL, &old);
	printf("%d %d\n", old.sa_handler == SIG_DFL, old.sa_flags);
	printf("%d\n", signal(sig, on_signal) == SIG_DFL);
	raise(sig);
	sigaction(sig, &act, &old);
	printf("%d %d %x\n", (int)seen, old.sa_handler == on_signal,
	       (unsigned)old.sa_flags);
	sigqueue(getpid(), sig, (union sigval){ .sival_int = 1000 });
	printf("%d\n", (int)seen);
	printf("%d\n", signal(sig, SIG_DFL) == (void (*)(int))on_info);
}

int main(int argc, char **argv)
{
	stack_t stack;

	if (argc > 1 && strcmp(argv[1], "late") == 0) {
		work_until_joined();
		use_cpu();
	}
	mask(SIGURG);
	disposition(SIGURG);
	mask(SIGRTMIN + 28);
	disposition(SIGRTMIN + 28);
	sigaltstack(NULL, &stack);
	printf("%d %d\n", stack.ss_flags, stack.ss_sp == NULL);
	return 0;
}
