/*
 * last_thread.c - the process ends with its last thread, though libcof has
 * threads that do not end
 *
 * args: joined
 * args: alone
 * fake: exits begins=
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_t first;

static void *run(void *unused)
{
	pthread_join(first, NULL);
	puts("the other");
	return unused;
}

static void on_exit_say(void)
{
	puts("exit");
}

/* Until libcof is there. */
static void work(void)
{
	struct timespec t;
	volatile unsigned long x = 0;

	do {
		for (unsigned i = 0; i < 1000000; i++)
			x = x * 3 + i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec == 0 && t.tv_nsec < 300000000);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argc;
	atexit(on_exit_say);
	first = pthread_self();
	if (strcmp(argv[1], "joined") == 0)
		pthread_create(&thread, NULL, run, NULL);
	else
		work();
	pthread_exit(NULL);
}
