/*
 * raw_exit.c - the last thread ends by exit(2) itself; the status is that of
 * the first thread
 *
 * args: first
 * args: other
 * args: both
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *other(void *status)
{
	volatile unsigned long x = 0;

	for (unsigned long i = 0; i < 30000000; i++)
		x += i;
	syscall(SYS_exit, *(int *)status);
	return NULL;
}

int main(int argc, char **argv)
{
	static int status = 3;
	pthread_t thread;

	if (argc < 2 || write(1, "begun\n", 6) != 6)
		return 1;
	if (strcmp(argv[1], "first") != 0 &&
	    pthread_create(&thread, NULL, other, &status) != 0)
		return 1;
	if (strcmp(argv[1], "other") == 0) {
		pthread_detach(thread);
		pthread_exit(NULL);	/* status 0 */
	}
	syscall(SYS_exit, 7);
	return 1;
}
