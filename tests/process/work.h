/*
 * work.h - something to do that a build makes faster, or at least tries to
 */
#pragma once

#include <time.h>

/* Volatile: or the compiler would do the same work once for all callers. */
static volatile unsigned work_begins_with = 1;

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned s = work_begins_with;

	for (unsigned i = 0; i < n; i++)
		s = s % 3 == 0 ? s / 3 : s * 5 + i;
	return s;
}

/* For so much CPU time. */
static inline void work_for(int ms)
{
	volatile unsigned sum = 0;
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		sum += work(10000);
}
