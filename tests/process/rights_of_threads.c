/*
 * rights_of_threads.c - setuid(2) and its kin change the rights of all of the
 * program's threads
 *
 * Only root can see it.
 *
 * args: now
 * args: ignored now
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "../preload/ignored.h"

#define THREADS 3
#define USER    65534

static pthread_barrier_t changes, changed;

static void *in_thread(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&changes);
	pthread_barrier_wait(&changed);
	return (void *)(long)(getuid() == geteuid() && getgid() == getegid() ?
			      (getuid() == USER) + 2 * (getgid() == USER) : 4);
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];

	begin_ignored(argc, argv);
	pthread_barrier_init(&changes, NULL, THREADS + 1);
	pthread_barrier_init(&changed, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, in_thread, NULL);
	pthread_barrier_wait(&changes);
	printf("%d %d\n", setgid(USER), setuid(USER));
	pthread_barrier_wait(&changed);
	for (int i = 0; i < THREADS; i++) {
		void *is;

		pthread_join(thread[i], &is);
		printf("thread: %ld\n", (long)is);
	}
	return 0;
}
