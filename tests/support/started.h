/*
 * started.h - an instance of the toy's that a test starts, and what that left changed
 */
#ifndef TESTS_STARTED_H
#define TESTS_STARTED_H

#include <signal.h>

#include "ours.h"
#include "toy_run.h"

static struct toy other;
static char why[COF_WHY_BYTES];

static inline int setup(void **state)
{
	toy_run_reset(state);
	other = (struct toy){ 0 };
	memset(why, 0, sizeof(why));
	expect_threads(0);	/* the last ones of a test before may linger */
	return 0;
}

static inline void end(void)
{
	cof_free(toy.cof);
	toy.cof = NULL;
}

/* What a test that failed left running. */
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

#endif /* TESTS_STARTED_H */
