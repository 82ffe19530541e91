/*
 * fork_child.c - a child of fork(2) is joined once it has used CPU time itself
 *
 * fake: exits begins=1
 */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

int main(void)
{
	int status;

	if (fork() == 0) {
		work();
		return 5;
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	fflush(stdout);
	_exit(0);
}
