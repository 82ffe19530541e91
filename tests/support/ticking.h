/*
 * ticking.h - a clock of the test's own, which goes on at each look at it
 *
 * For what waits by looking at the clock: it takes as many looks each time, however
 * busy the machine is. The process has a core for itself.
 */
#ifndef TESTS_TICKING_H
#define TESTS_TICKING_H

#include "base/clock.h"

static uint64_t ticking_ns, ticking_step_ns;

static inline uint64_t ticking_clock(clockid_t id)
{
	(void)id;
	return ticking_ns += ticking_step_ns;
}

/* From now on, by `step_ns` a look. Not while an instance has threads. */
static inline void ticking_begin(uint64_t step_ns)
{
	ticking_ns = 1000000000;
	ticking_step_ns = step_ns;
	cof_clock_injected = ticking_clock;
}

static inline void ticking_end(void)
{
	cof_clock_injected = NULL;
}

#endif /* TESTS_TICKING_H */
