/*
 * joined.h - use CPU time until libcof is there, and has this thread
 *
 * Until it has the thread, libcof-preload.so has a timer that sends SIGURG. The
 * kernel shows a process's timers. Natively there is none, and this returns at
 * once.
 */
#pragma once

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Does the process have a timer that sends it? */
static inline int is_timed(int sig)
{
	FILE *f = fopen("/proc/self/timers", "r");
	char line[256];
	int is = 0, which;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		is |= sscanf(line, "signal: %d/", &which) == 1 && which == sig;
	if (f != NULL)
		fclose(f);
	return is;
}

/* libcof looks when the program is in its own code, and not in libc's. */
static inline void use_cpu(void)
{
	volatile unsigned long x = 0;

	for (unsigned i = 0; i < 10000000; i++)
		x = x * 3 + i;
}

static inline void work_until_joined(void)
{
	while (is_timed(SIGURG))
		use_cpu();
}
