/*
 * blocked.c - a program that blocks all signals before libcof is there has
 * samples in each thread, and finds the masks that it set
 *
 * args: alone
 * args: threads
 * fake: exits begins=\([1-3]\) ends=[0-9] samples=\1 quiet=
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "joined.h"

static void show(const char *who)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	printf("%s", who);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&now, sig) != 1)
			printf(" %d", sig);
	printf("\n");
}

static void *last(void *unused)
{
	show("last");
	return unused;
}

static void *first(void *unused)
{
	pthread_t thread;
	sigset_t some;

	show("first");
	sigemptyset(&some);
	sigaddset(&some, SIGRTMIN + 28);
	sigaddset(&some, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &some, NULL);
	pthread_create(&thread, NULL, last, NULL);
	pthread_join(thread, NULL);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	if (argc > 1 && strcmp(argv[1], "threads") == 0) {
		pthread_create(&thread, NULL, first, NULL);
		pthread_join(thread, NULL);
	} else {
		work_until_joined();
		use_cpu();
	}
	show("main");
	return 0;
}
