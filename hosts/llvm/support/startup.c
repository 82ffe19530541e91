/*
 * startup.c - add up, print; see startup.h
 */
#include "support/startup.h"

#include <stdbool.h>
#include <time.h>

static _Thread_local bool starting;
static enum cofl_startup  now;
static uint64_t           since_ns, before_ns, ns[COFL_STARTUP_COUNT];

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cofl_startup_begin(void)
{
	starting = true;
	before_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	since_ns = clock_ns(CLOCK_MONOTONIC);
}

enum cofl_startup cofl_startup_part(enum cofl_startup part)
{
	enum cofl_startup was = now;
	uint64_t at;

	if (!starting)
		return part;
	at = clock_ns(CLOCK_MONOTONIC);
	ns[now] += at - since_ns;
	since_ns = at;
	now = part;
	return was;
}

void cofl_startup_move(enum cofl_startup from, enum cofl_startup to,
		       uint64_t of_it)
{
	if (!starting)
		return;
	if (of_it > ns[from])
		of_it = ns[from];
	ns[from] -= of_it;
	ns[to] += of_it;
}

void cofl_startup_end(FILE *to)
{
#define TEXT(name, text) #text,
	static const char *const names[] = { COFL_STARTUP_PARTS(TEXT) };
#undef TEXT
	uint64_t all = 0;

	cofl_startup_part(COFL_STARTUP_REST);
	starting = false;
	for (int i = 0; i < COFL_STARTUP_COUNT; i++)
		all += ns[i];
	if (to == NULL)
		return;
	fprintf(to, "startup_ns %llu\n", (unsigned long long)all);
	fprintf(to, "startup_exec_cpu_ns %llu\n",
		(unsigned long long)before_ns);
	for (int i = 0; i < COFL_STARTUP_COUNT; i++)
		if (ns[i] != 0)
			fprintf(to, "startup_%s_ns %llu\n", names[i],
				(unsigned long long)ns[i]);
}
