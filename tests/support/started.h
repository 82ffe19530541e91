/*
 * started.h - an instance on the toy host, and what it changed in the process
 */
#pragma once

#include <signal.h>

#include "libcof_threads.h"
#include "toy_run.h"

static struct toy other;
static char why[COF_WHY_BYTES];

static inline int setup(void **state)
{
	toy_run_reset(state);
	other = (struct toy){ 0 };
	memset(why, 0, sizeof(why));
	expect_libcof_threads(0);	/* those of the last test may linger */
	return 0;
}

static inline void end(void)
{
	cof_free(toy.cof);
	toy.cof = NULL;
}

/* End what a failed test left running. */
static inline int teardown(void **state)
{
	cof_free(other.cof);
	return toy_run_teardown(state);
}

static inline int start(const char *options)
{
	return cof_start(&host, options, why, &toy.cof);
}

#define SIGNALS 65

static inline void handlers(void *h[SIGNALS])
{
	struct sigaction now;

	for (int sig = 1; sig < SIGNALS; sig++)
		h[sig] = sigaction(sig, NULL, &now) == 0 ?
			 (void *)now.sa_sigaction : NULL;
}

/* How many signals have another handler now. */
static inline int changed(void *const before[SIGNALS])
{
	void *now[SIGNALS];
	int n = 0;

	handlers(now);
	for (int sig = 1; sig < SIGNALS; sig++)
		n += now[sig] != before[sig];
	return n;
}
