/*
 * sigalrm.c - a timer's handler interrupts code that gets replaced
 *
 * guest-hot:
 */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "guest.h"

static volatile sig_atomic_t ticks;
static volatile uint64_t in_handler;

NOINLINE static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 2000; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static void on_alarm(int sig)
{
	int e = errno;

	if (in_handler == 0)
		in_handler = work(7);
	else if (in_handler != work(7))
		_exit(4);
	ticks += sig == SIGALRM;
	errno = e;
}

static uint64_t round_(void)
{
	return work(MIX0);
}

int main(void)
{
	struct sigaction sa = { .sa_handler = on_alarm,
				.sa_flags = SA_RESTART };
	struct itimerval every = { { 0, 2000 }, { 0, 2000 } }, off = { 0 };
	struct timespec ms = { 0, 1000000 };

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	guest_run("sigalrm", round_);
	while (ticks < 5)
		work(1);
	setitimer(ITIMER_REAL, &off, NULL);
	while (nanosleep(&ms, &ms) < 0 && errno == EINTR)
		;
	printf("ticks %s, handler %016" PRIx64 "\n",
	       ticks >= 5 ? "came" : "missing", (uint64_t)in_handler);
	sa.sa_handler = SIG_DFL;
	sigaction(SIGALRM, NULL, &sa);
	puts(sa.sa_handler == on_alarm ? "handler kept" : "handler lost");
	return 0;
}
