/*
 * every_signal.c - whatever a program does with a signal, it finds what it
 * finds natively: SIGURG, the last real-time ones, and one that many use
 *
 * args: 23
 * args: 62
 * args: 64
 * args: 10
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "work.h"

#define RUN_MS 300

static int sig;
static volatile int calls;

static sigset_t only(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	return set;
}

static void show_mask(const char *when)
{
	sigset_t now;

	sigprocmask(SIG_BLOCK, NULL, &now);
	printf("%s:", when);
	for (int s = 1; s < NSIG; s++)
		if (sigismember(&now, s) == 1)
			printf(" %d", s);
	putchar('\n');
}

static void show_pending(void)
{
	sigset_t now;

	sigpending(&now);
	printf("pending: %d\n", sigismember(&now, sig));
}

/* Until the process's first thread waits: for a byte, a signal, a child. */
static void await_sleep(pid_t pid)
{
	char name[32], line[256];
	long number = -1;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/syscall", (int)pid);
	while (number != SYS_read && number != SYS_rt_sigtimedwait &&
	       number != SYS_wait4) {
		usleep(1000);
		f = fopen(name, "r");
		if (f == NULL || fgets(line, sizeof(line), f) == NULL)
			_exit(1);
		fclose(f);
		number = -1;
		sscanf(line, "%ld", &number);
	}
}

/* A child sends it while this process waits, and ends when it waits again. */
static pid_t send_later(void)
{
	pid_t to = getpid(), pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		await_sleep(to);
		sigqueue(to, sig, (union sigval){ .sival_int = 5 });
		await_sleep(to);
		_exit(0);
	}
	return pid;
}

static void sent_here(void)
{
	sigqueue(getpid(), sig, (union sigval){ .sival_int = 7 });
}

static void waits(void)
{
	sigset_t set = only();
	siginfo_t info;
	pid_t pid;

	sigprocmask(SIG_BLOCK, &set, NULL);
	sent_here();
	show_pending();
	printf("%d\n", sigwaitinfo(&set, &info));
	printf("%d %d\n", info.si_code == SI_QUEUE, info.si_value.sival_int);
	pid = send_later();
	printf("%d\n", sigwaitinfo(&set, &info));
	printf("%d %d\n", info.si_pid == pid, info.si_value.sival_int);
	waitpid(pid, NULL, 0);
	show_pending();
	show_mask("waits");
}

static void reads(void)
{
	struct signalfd_siginfo info;
	sigset_t set = only();
	int fd = signalfd(-1, &set, 0);

	sent_here();
	printf("%d\n", read(fd, &info, sizeof(info)) == sizeof(info));
	printf("%u %d\n", info.ssi_signo, info.ssi_int);
	close(fd);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void on_signal(int s)
{
	calls += s;
}

static sigjmp_buf where;

static void on_signal_jump(int s)
{
	(void)s;
	show_mask("handler");
	siglongjmp(where, 1);
}

static void handles(int flags)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = flags };
	struct sigaction old;
	int fd[2], n;
	char byte;

	sigemptyset(&act.sa_mask);
	printf("%d\n", sigaction(sig, &act, &old));
	printf("%d %x\n", old.sa_handler == SIG_DFL, (unsigned)old.sa_flags);
	if (pipe(fd) != 0)
		exit(1);
	send_later();
	close(fd[1]);
	errno = 0;
	/* With SA_RESTART it goes on until the child has ended. */
	n = (int)read(fd[0], &byte, 1);
	printf("%d %d %d\n", n, errno == EINTR, calls);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	close(fd[0]);
	printf("%d\n", sigaction(sig, NULL, &old));
	printf("%d\n", old.sa_handler == on_signal);
	signal(sig, SIG_DFL);
}

static void jumps(void)
{
	sigset_t set = only();
	volatile int again = 0;
	ucontext_t context;

	signal(sig, on_signal_jump);
	if (sigsetjmp(where, 1) == 0)
		raise(sig);
	show_mask("after siglongjmp");
	if (sigsetjmp(where, 1) == 0) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		show_mask("blocked");
		siglongjmp(where, 1);
	}
	show_mask("after another");
	getcontext(&context);
	if (!again) {
		again = 1;
		sigprocmask(SIG_BLOCK, &set, NULL);
		setcontext(&context);
	}
	show_mask("after setcontext");
	signal(sig, SIG_DFL);
}

static void executes(char *self)
{
	sigset_t set = only();
	char number[8];
	pid_t pid;

	snprintf(number, sizeof(number), "%d", sig);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		signal(SIGUSR2, SIG_IGN);
		sent_here();
		execl(self, self, "inherits", number, (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void inherits(void)
{
	struct sigaction act;

	show_mask("inherited");
	show_pending();
	for (int s = 1; s < NSIG; s++)
		if (sigaction(s, NULL, &act) == 0 && act.sa_handler != SIG_DFL)
			printf("%d: %s\n", s, act.sa_handler == SIG_IGN ?
			       "ignored" : "handled");
}

/* Signals that libc keeps for itself. */
static void is_refused(void)
{
	struct sigaction act = { .sa_handler = SIG_IGN };

	for (int s = 32; s < 34; s++) {
		errno = 0;
		printf("%d", sigaction(s, &act, NULL));
		printf(" %d\n", errno == EINVAL);
	}
}

static void all(char *self)
{
	is_refused();
	waits();
	reads();
	handles(0);
	handles(SA_RESTART);
	jumps();
	executes(self);
}

int main(int argc, char **argv)
{
	sig = atoi(argv[argc - 1]);
	if (argc > 2 && strcmp(argv[1], "inherits") == 0) {
		inherits();
		return 0;
	}
	/* For /proc/PID/syscall. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	all(argv[0]);		/* in its first moments */
	work_for(RUN_MS);
	all(argv[0]);
	return 0;
}
