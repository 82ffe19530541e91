/*
 * siginterrupt.c - signal(3) leaves calls interrupted where siginterrupt(3)
 * said so
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "guest.h"

static volatile sig_atomic_t seen;

static void on_alarm(int sig)
{
	seen = sig;
}

int main(void)
{
	static const struct itimerval never;
	static const struct itimerval often = {
		.it_interval = { .tv_usec = 100000 },
		.it_value = { .tv_usec = 100000 },
	};
	struct sigaction was;
	int fds[2];
	char byte;

	siginterrupt(SIGALRM, 1);
	signal(SIGALRM, on_alarm);
	sigaction(SIGALRM, NULL, &was);
	printf("restarts %d, masks itself %d\n",
	       (was.sa_flags & SA_RESTART) != 0,
	       sigismember(&was.sa_mask, SIGALRM));
	if (pipe(fds) != 0)
		return 1;
	/* Again and again, since the first may come before read(2) waits. */
	setitimer(ITIMER_REAL, &often, NULL);
	printf("read %zd: %s\n", read(fds[0], &byte, 1), strerror(errno));
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGUSR1, on_alarm);
	sigaction(SIGUSR1, NULL, &was);
	printf("restarts %d\n", (was.sa_flags & SA_RESTART) != 0);
	raise(SIGUSR1);
	printf("seen %d\n", (int)seen == SIGUSR1);
	return 0;
}
