/*
 * sigthread.c - signals sent to one thread, masks per thread, sigsuspend
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define SIGNALS 50

static _Thread_local int mine;
static sem_t ready, done;
static volatile int stop;

static void on_usr(int sig)
{
	mine += sig == SIGUSR1 ? 1 : 100;
	sem_post(&done);
}

NOINLINE static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 500; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static void *spinner(void *arg)
{
	sem_post(&ready);
	do
		*(uint64_t *)arg = work(MIX0);
	while (!stop);
	return (void *)(intptr_t)mine;
}

static void *sleeper(void *arg)
{
	sigset_t none;

	(void)arg;
	sigemptyset(&none);
	sem_post(&ready);
	/* Blocked but in sigsuspend(), so each of these takes one. */
	for (int i = 0; i < SIGNALS; i++)
		sigsuspend(&none);
	return (void *)(intptr_t)mine;
}

static void wait_for(sem_t *s)
{
	while (sem_wait(s) < 0 && errno == EINTR)
		;
}

int main(void)
{
	struct sigaction sa = { .sa_handler = on_usr, .sa_flags = SA_RESTART };
	sigset_t usr;
	pthread_t a, b;
	uint64_t h = 0;
	void *na, *nb;
	char c[2];
	int fd[2];
	ssize_t n;

	/* One at a time, so that a sigsuspend() takes one. */
	sigfillset(&sa.sa_mask);
	sem_init(&ready, 0, 0);
	sem_init(&done, 0, 0);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	sigaddset(&usr, SIGUSR2);
	pthread_create(&a, NULL, spinner, &h);
	pthread_sigmask(SIG_BLOCK, &usr, NULL);
	pthread_create(&b, NULL, sleeper, NULL);
	wait_for(&ready);
	wait_for(&ready);
	for (int i = 0; i < SIGNALS; i++) {
		pthread_kill(a, SIGUSR1);
		wait_for(&done);
		pthread_kill(b, i % 2 ? SIGUSR1 : SIGUSR2);
		wait_for(&done);
	}
	stop = 1;
	pthread_join(a, &na);
	pthread_join(b, &nb);
	printf("spinner %d, sleeper %d, work %016" PRIx64 "\n",
	       (int)(intptr_t)na, (int)(intptr_t)nb, h);

	/* A read in a pipe is restarted, or says EINTR, as the flags tell. */
	if (pipe(fd) < 0)
		return 1;
	sa.sa_flags = 0;
	sigaction(SIGALRM, &sa, NULL);
	ualarm(20000, 20000);
	n = read(fd[0], c, 1);
	printf("read: %zd %s\n", n, strerror(errno));
	return 0;
}
