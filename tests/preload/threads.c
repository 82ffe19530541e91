/*
 * threads.c - threads are attached before they run, and those that end detach
 *
 * fake: exits begins=5 ends=4
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/single_threaded.h>
#include <threads.h>

static int c11(void *arg)
{
	return *(int *)arg + 1;
}

static void *run(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread[3];
	int seven = 7, result;
	void *back;
	thrd_t c;

	printf("%d\n", __libc_single_threaded);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, run, &thread[i]);
	for (int i = 0; i < 3; i++) {
		pthread_join(thread[i], &back);
		printf("%d\n", back == &thread[i]);
	}
	thrd_create(&c, c11, &seven);
	thrd_join(c, &result);
	printf("%d %d\n", result, __libc_single_threaded);
	return 0;
}
