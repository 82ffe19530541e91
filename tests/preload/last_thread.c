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

#include "joined.h"

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

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argc;
	atexit(on_exit_say);
	first = pthread_self();
	if (strcmp(argv[1], "joined") == 0)
		pthread_create(&thread, NULL, run, NULL);
	else
		work_until_joined();
	pthread_exit(NULL);
}
