/*
 * held_cpu.h - the process has used as much CPU time as the test says
 *
 * For code that waits until a program has used some: however slow the machine
 * or a sanitizer is, that is not before the test says so. All other clocks are
 * the kernel's.
 */
#pragma once

#include <stdatomic.h>

#include "base/clock.h"
#include "base/units.h"

static _Atomic uint64_t held_cpu_ns;

static inline uint64_t held_cpu_clock(clockid_t which)
{
	struct timespec t;

	if (which == CLOCK_PROCESS_CPUTIME_ID)
		return atomic_load(&held_cpu_ns);
	if (clock_gettime(which, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void held_cpu_set_ms(uint64_t ms)
{
	atomic_store(&held_cpu_ns, ms * COF_MS_NS);
}

/* With 0 ms. Begin and end while no instance has threads. */
static inline void held_cpu_begin(void)
{
	held_cpu_set_ms(0);
	cof_clock_injected = held_cpu_clock;
}

static inline void held_cpu_end(void)
{
	cof_clock_injected = NULL;
}
