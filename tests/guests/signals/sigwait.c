/*
 * sigwait.c - one thread takes all signals by sigwait(), the usual daemon way
 *
 * All signals are blocked everywhere, so whatever else uses signals must keep
 * out of that thread's way.
 *
 * guest-hot:
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static volatile int got[65];

static void *taker(void *arg)
{
	sigset_t *set = arg;
	int sig;

	for (;;) {
		if (sigwait(set, &sig) != 0)
			return "sigwait failed";
		got[sig]++;
		if (sig == SIGTERM)
			return "told to end";
	}
}

int main(void)
{
	sigset_t all;
	pthread_t t;
	void *why;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	pthread_create(&t, NULL, taker, &all);
	kill(getpid(), SIGUSR1);
	guest_run("sigwait", guest_work_round);
	kill(getpid(), SIGUSR2);
	kill(getpid(), SIGRTMIN + 1);
	/* The lowest number comes first: let these be taken before the end. */
	while (!got[SIGUSR1] || !got[SIGUSR2] || !got[SIGRTMIN + 1])
		usleep(1000);
	kill(getpid(), SIGTERM);
	pthread_join(t, &why);
	puts(why);
	for (int s = 1; s < 65; s++)
		if (got[s])
			printf("signal %d: %d\n", s, got[s]);
	return 0;
}
