/*
 * clock.h - the clocks that libcof reads, in ns
 *
 * libcof reads every clock here, so that a test can put one of its own in the
 * place of all of them. Process-wide: one for all instances.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef uint64_t cof_clock_fn(clockid_t id);

/*
 * Read instead of the kernel's clocks. NULL, as it is outside of tests: the
 * kernel's are read. A test sets it while no instance has a thread, or the
 * clock goes backwards for that thread.
 */
/* Visible: the LLVM module reads it in the program that loaded it. */
extern cof_clock_fn *cof_clock_injected
	__attribute__((visibility("default")));

static inline uint64_t cof_clock_read(clockid_t id)
{
	cof_clock_fn *injected = __atomic_load_n(&cof_clock_injected,
						 __ATOMIC_RELAXED);
	struct timespec t;

	if (__builtin_expect(injected != NULL, 0))
		return injected(id);
	if (clock_gettime(id, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The kernel's tick, in which it looks at CPU timers and advances the coarse
 * clock. 0: not known. */
static inline uint64_t cof_clock_tick_ns(void)
{
	struct timespec t;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Time since a fixed point; does not jump. */
static inline uint64_t cof_clock_ns(void)
{
	return cof_clock_read(CLOCK_MONOTONIC);
}

/* CPU time of the calling thread. */
static inline uint64_t cof_clock_thread_ns(void)
{
	return cof_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * The CPU-time clock of thread `tid` of this process. Any thread may read it,
 * at the cost of one system call. The encoding is the kernel's
 * MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED, linux:include/linux/posix-timers.h.
 */
static inline clockid_t cof_clock_of_thread(int tid)
{
	return (clockid_t)((~(unsigned)tid << 3) | 6u);
}
