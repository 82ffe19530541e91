/*
 * busy.c - a program that uses CPU time is joined, and its main thread attached
 *
 * args: once
 * fake: exits begins=1
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#define S_NS 1000000000ull

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (unsigned long long)t.tv_sec * S_NS +
	       (unsigned long long)t.tv_nsec;
}

static unsigned long long work(unsigned long long x)
{
	for (unsigned i = 0; i < 1000000; i++)
		x = x * 6364136223846793005u + 1;
	return x;
}

int main(int argc, char **argv)
{
	volatile unsigned long long x = 0;

	while (now_ns() < S_NS / 2)
		x = work(x);
	printf("%d %s\n", argc, argv[1]);
	return 4;
}
