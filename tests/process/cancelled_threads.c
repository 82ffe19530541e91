/*
 * cancelled_threads.c - pthread_cancel(3) has a signal that samples have, too
 *
 * args: first
 * args: later
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

#define RUN_MS 300
#define TURNS  20

static int cleaned;
static sem_t begun;

static void clean(void *by)
{
	cleaned += *(int *)by;
}

/* It may be cancelled anywhere. */
static void *computes(void *by)
{
	volatile unsigned sum = 0;
	int old;

	pthread_cleanup_push(clean, by);
	sem_post(&begun);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;)
		sum += work(1000);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *sleeps(void *by)
{
	pthread_cleanup_push(clean, by);
	sem_post(&begun);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *looks(void *by)
{
	volatile unsigned sum = 0;

	pthread_cleanup_push(clean, by);
	sem_post(&begun);
	for (;;) {
		sum += work(1000);
		pthread_testcancel();
	}
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancel(void *(*run)(void *), int by)
{
	pthread_t thread;
	void *result = NULL;

	if (pthread_create(&thread, NULL, run, &by) != 0)
		return;
	sem_wait(&begun);
	work_for(5);
	printf("%d ", pthread_cancel(thread));
	pthread_join(thread, &result);
	printf("%d %d\n", result == PTHREAD_CANCELED, cleaned);
}

int main(int argc, char **argv)
{
	sem_init(&begun, 0, 0);
	if (argc > 1 && strcmp(argv[1], "later") == 0)
		work_for(RUN_MS);
	for (int i = 0; i < TURNS; i++) {
		cancel(computes, 1);
		cancel(sleeps, 100);
		cancel(looks, 10000);
	}
	work_for(RUN_MS);
	return 0;
}
