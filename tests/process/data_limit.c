/*
 * data_limit.c - a program that allocates nothing, under RLIMIT_DATA at what it
 * has, calls functions for the first time and computes for a while
 *
 * With a time it computes for so many ms before, and until libcof is there: a
 * limit that comes while libcof is being opened is told on stderr. Without one
 * the limit is there first: times are of the CPU, as start_ms is.
 *
 * args: 0
 * args: 200
 * options: --cof-start_ms=300
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../preload/joined.h"

#define FUNCTION(n)							\
	__attribute__((noinline)) static unsigned f##n(unsigned x)	\
	{								\
		for (int i = 0; i < 50 + n; i++)			\
			x = x * (n * 8 + 5) + (x >> (n % 13 + 1));	\
		return x;						\
	}
#define FOUR(n)	FUNCTION(n##0) FUNCTION(n##1) FUNCTION(n##2) FUNCTION(n##3)
#define NAMES(n) f##n##0, f##n##1, f##n##2, f##n##3
FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7) FOUR(8) FOUR(9)

static unsigned (*const function[])(unsigned) = {
	NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5), NAMES(6), NAMES(7),
	NAMES(8), NAMES(9)
};
#define N (sizeof(function) / sizeof(function[0]))

static unsigned long used_kb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long kb = 0;
	char line[200];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmData: %lu", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static unsigned compute(double seconds, size_t n)
{
	double end = now() + seconds;
	unsigned sum = 0;

	do
		for (size_t i = 0; i < n; i++)
			sum |= function[i]((unsigned)i + 1) ^
			       function[i]((unsigned)i + 1);
	while (now() < end);
	return sum;
}

int main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 0;
	unsigned sum = compute(ms * 1e-3, N / 2);
	struct rlimit limit = { 0, 0 };

	if (ms > 0)
		work_until_joined();
	limit.rlim_cur = limit.rlim_max = used_kb() << 10;
	if (limit.rlim_cur == 0 || setrlimit(RLIMIT_DATA, &limit) != 0)
		return 1;
	sum |= compute(1, N);
	printf("%u\n", sum);
	return 0;
}
