/*
 * c11threads.c - thrd_create(3): results, and the last of them ends the process
 */
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "guest.h"

NOINLINE static int work(int n)
{
	unsigned h = 1;

	for (int i = 0; i < n; i++)
		h = h * 31 + (unsigned)i;
	return (int)(h % 1000);
}

static int run(void *arg)
{
	return work(*(int *)arg);
}

static int last(void *arg)
{
	struct timespec t = { 0, 100000000 };

	(void)arg;
	thrd_sleep(&t, NULL);
	guest_run("the last", guest_work_round);
	return 7;
}

int main(void)
{
	int n[4] = { 10, 100, 1000, 100000 }, result;
	thrd_t t[4];

	for (int i = 0; i < 4; i++)
		thrd_create(&t[i], run, &n[i]);
	for (int i = 0; i < 4; i++) {
		thrd_join(t[i], &result);
		printf("%d\n", result);
	}
	thrd_create(&t[0], last, NULL);
	thrd_detach(t[0]);
	pthread_exit(NULL);
}
