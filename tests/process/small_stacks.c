/*
 * small_stacks.c - threads with the smallest stacks there are
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char mine[256];

/* What natively fits on the smallest stack. */
__attribute__((noinline)) static long fill(char *p, int n)
{
	long sum = 0;

	memset(p, n, 2048);
	for (int i = 0; i < 2048; i++)
		sum += p[i];
	return sum;
}

static void *use(void *arg)
{
	char buffer[2048];
	long sum = 0;

	mine[0] = 1;
	for (int i = 0; i < 20000; i++)
		sum += fill(buffer, i & 63) + mine[0];
	*(long *)arg = sum;
	return NULL;
}

static void run(size_t bytes)
{
	pthread_attr_t attr;
	pthread_t thread;
	long sum = 0;
	size_t now;
	int err;

	pthread_attr_init(&attr);
	err = pthread_attr_setstacksize(&attr, bytes);
	if (err == 0)
		err = pthread_create(&thread, &attr, use, &sum);
	if (err == 0)
		pthread_join(thread, NULL);
	pthread_attr_getstacksize(&attr, &now);
	printf("%d %ld %d\n", err, sum, now == bytes);
}

int main(void)
{
	run((size_t)sysconf(_SC_THREAD_STACK_MIN));
	run(24 * 1024);
	run(64 * 1024);
	run(1024 * 1024);
	run(1);			/* too small */
	return 0;
}
