/*
 * ticking.h - a clock of the test's own, which advances each time it is read
 *
 * For code that waits by reading the clock: it reads the clock equally often
 * each time, however busy the machine is. Each thread's CPU time advances too,
 * as if the process had a core for itself.
 */
#pragma once

#include "base/clock.h"

static uint64_t ticking_ns, ticking_step_ns;

static inline uint64_t ticking_clock(clockid_t id)
{
	(void)id;
	return ticking_ns += ticking_step_ns;
}

/* From now on it advances by `step_ns` a read. Not while an instance has
 * threads. */
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
