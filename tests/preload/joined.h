/*
 * joined.h - use CPU time until libcof is there, and has this thread
 *
 * libcof-preload.so waits for SIGURG, which the program does not see. It no
 * longer does so when it has the thread. The kernel knows what a process waits
 * for. Natively nobody waits for SIGURG, and this returns at once.
 */
#pragma once

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Does the process have a handler for it? */
static inline int is_caught(int sig)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long mask = 0;
	char line[256];

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		sscanf(line, "SigCgt: %llx", &mask);
	if (f != NULL)
		fclose(f);
	return mask >> (sig - 1) & 1;
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
	while (is_caught(SIGURG))
		use_cpu();
}
