/*
 * toy_run.h - an instance on the toy host, from its start to its last counter
 *
 * Its stages are threads. If the test defines TOY_RUN_STEPPED before it
 * includes this, they are stepped (tests/cof/api/stepped_loop.h): then there is
 * no guest thread, and no sample but those of option source.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "balance.h"
#include "hosts/toy/toy.h"
#include "instance.h"

#ifdef TOY_RUN_STEPPED
#include "tests/cof/api/stepped_loop.h"
#define toy_run_until(cond) stepped_until(cond)
#else
#define toy_run_until(cond) wait_until(cond, toy.cof->flow)
#endif

static struct toy      toy;
static struct cof_host host;	/* of the next start; a test may change it */

/* For cmocka, or at the head of a test's own setup. */
static inline int toy_run_reset(void **state)
{
	(void)state;
	unsetenv("COF_OPTIONS");
	toy = (struct toy){ 0 };
	host = toy_host(&toy);
	return 0;
}

/*
 * Start with the options `first` and `more`, and attach this thread, unless the
 * stages are stepped.
 */
static inline void toy_run_start(const char *first, const char *more)
{
	char all[256], why[COF_WHY_BYTES] = "";

	snprintf(all, sizeof(all), "%s%s", first, more);
#ifdef TOY_RUN_STEPPED
	if (stepped_start(&host, all, true, why) != 0)
		fail_msg("%s", why);
	toy.cof = stepped.cof;
#else
	if (cof_start(&host, all, why, &toy.cof) != 0)
		fail_msg("%s", why);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
#endif
}

static inline void toy_run_stop(void)
{
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	if (unbalanced(toy.cof->flow)) {
		show_flow(toy.cof->flow);
		fail();
	}
}

/* Free it: each version is discarded once, each IR dropped once. */
static inline void toy_run_free(void)
{
	cof_free(toy.cof);
	toy.cof = NULL;
	assert_int_equal(toy.discarded, toy.versions);
	assert_int_equal(toy.dropped, toy.gathered);
}

static inline void toy_run_finish(void)
{
	toy_run_stop();
	toy_run_free();
}

/*
 * For cmocka: end what a failed test left running, so that the next test can
 * start. Code that its threads may still run is not freed.
 */
static inline int toy_run_teardown(void **state)
{
	(void)state;
	if (!toy.cof)
		return 0;
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	if (cof_count_get(&toy.cof->flow->threads.now) == 0)
		cof_free(toy.cof);
	toy.cof = NULL;
	return 0;
}
