/*
 * clock.h - the times libcof reads, in ns
 */
#ifndef COF_CLOCK_H
#define COF_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t cof_clock_read(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Time since some fixed point; does not jump. */
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
 * The CPU-time clock of thread `tid` of this process; reading it costs one
 * system call and works from any thread. The encoding is the kernel's
 * (include/linux/posix-timers.h: MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED).
 */
static inline clockid_t cof_clock_of_thread(int tid)
{
	return (clockid_t)((~(unsigned)tid << 3) | 6u);
}

#endif /* COF_CLOCK_H */
