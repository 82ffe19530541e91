/*
 * forks.c - what fork(2) costs: forks N [SECONDS]
 *
 * After so many seconds of work, N children that end at once, one after the
 * other. It prints the median and the least time of a fork, exit and wait in
 * us, and the page faults of parent and child together, per child.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WARM 20		/* forks that do not count */

static double now_us(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static long faults(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return self.ru_minflt + children.ru_minflt;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double one(void)
{
	double began = now_us(CLOCK_MONOTONIC);
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		exit(1);
	return now_us(CLOCK_MONOTONIC) - began;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	double seconds = argc > 2 ? atof(argv[2]) : 0;
	double *us = calloc((size_t)n + 1, sizeof(*us));
	volatile unsigned long x = 1;
	long before;

	while (now_us(CLOCK_PROCESS_CPUTIME_ID) < seconds * 1e6)
		for (int i = 0; i < 100000; i++)
			x = x * 6364136223846793005u + 1;
	for (int i = 0; i < WARM; i++)
		one();
	before = faults();
	for (int i = 0; i < n; i++)
		us[i] = one();
	before = faults() - before;
	qsort(us, (size_t)n, sizeof(*us), by_value);
	printf("%.1f %.1f %.1f\n", us[n / 2], us[0], (double)before / n);
	return 0;
}
