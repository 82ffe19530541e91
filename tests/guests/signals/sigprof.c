/*
 * sigprof.c - a program that samples itself with SIGPROF and ITIMER_PROF
 *
 * Its handler must see its own timer's signals and only those, its action must
 * be what it set, and blocking or ignoring the signal must work.
 *
 * guest-hot:
 */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "guest.h"

static volatile sig_atomic_t ticks, wrong;
static volatile uint64_t sink;

static void on_prof(int sig, siginfo_t *info, void *context)
{
	ticks++;
	/* The kernel's timers say SI_KERNEL; raise() says SI_TKILL. */
	wrong += sig != SIGPROF || !context ||
		 (info->si_code != SI_KERNEL && info->si_code != SI_TKILL);
}

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_prof,
				.sa_flags = SA_SIGINFO | SA_RESTART }, now;
	struct itimerval every = { { 0, 5000 }, { 0, 5000 } }, got, off = { 0 };
	sigset_t prof, pending;
	int before;

	sigaction(SIGPROF, NULL, &now);
	puts(now.sa_handler == SIG_DFL ? "default at first" : "not default");
	sigaction(SIGPROF, &sa, NULL);
	sigaction(SIGPROF, NULL, &now);
	printf("action %s, flags %s\n", now.sa_sigaction == on_prof ?
	       "kept" : "changed", now.sa_flags & SA_SIGINFO &&
	       now.sa_flags & SA_RESTART ? "kept" : "changed");

	guest_work(1);
	puts(ticks ? "ticks without a timer" : "no ticks without a timer");
	raise(SIGPROF);
	puts(ticks == 1 ? "raise delivered" : "raise lost");

	setitimer(ITIMER_PROF, &every, NULL);
	guest_run("sigprof", guest_work_round);
	while (ticks < 6)
		sink = guest_work(sink);
	getitimer(ITIMER_PROF, &got);
	printf("timer %s\n", got.it_interval.tv_usec >= 4000 &&
	       got.it_interval.tv_usec <= 8000 ? "kept" : "changed");
	setitimer(ITIMER_PROF, &off, NULL);

	sigemptyset(&prof);
	sigaddset(&prof, SIGPROF);
	sigprocmask(SIG_BLOCK, &prof, NULL);
	before = ticks;
	for (int i = 0; i < 200; i++)
		sink = guest_work(sink);
	raise(SIGPROF);
	sigpending(&pending);
	printf("blocked: %d ticks, %s\n", ticks - before,
	       sigismember(&pending, SIGPROF) ? "pending" : "not pending");
	sigprocmask(SIG_UNBLOCK, &prof, NULL);
	printf("unblocked: %d tick\n", ticks - before);

	signal(SIGPROF, SIG_IGN);
	raise(SIGPROF);
	for (int i = 0; i < 200; i++)
		sink = guest_work(sink);
	printf("ignored: %d tick, wrong ones %d\n", ticks - before, (int)wrong);
	return 0;
}
