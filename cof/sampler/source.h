/*
 * source.h - where samples come from
 *
 * A source is opened once per instance and attached once per thread. Those that
 * raise a signal fill the thread's ring from the handler (handler.h); those that
 * do not are read by SAM.
 *
 * The ladder (ladder.c) opens the best source the kernel allows:
 *
 *	perf, hardware event   exact, no signal; needs a PMU
 *	timer                  per-thread CPU timer: rides the kernel's tick, free
 *	itimer                 one for the process; uneven between threads
 *	none                   counted, and said by cof-stats
 *
 * perf with a software event costs a timer interrupt a sample (20-40 us in a
 * VM), so it is taken only when asked for. A thread that a source refuses (no
 * more timers, no more locked memory) is offered to the next rung.
 */
#ifndef COF_SAMPLER_SOURCE_H
#define COF_SAMPLER_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct cof;
struct cof_thread;

struct cof_source {
	const char *name;
	/*
	 * Estimated cost of one sample besides the handler, in ns: interrupt
	 * and signal delivery.
	 */
	uint64_t    delivery_ns;

	/* Can it be used here? 0, or a negative cof_err and one line in why. */
	int  (*open)(struct cof *cof, char *why, size_t why_bytes);
	void (*close)(struct cof *cof);

	/* Sample this thread every period_ns of its CPU time. On the thread
	 * itself, or on SAM when the period changes (detach, attach). */
	int  (*attach)(struct cof *cof, struct cof_thread *t, uint64_t period_ns);
	void (*detach)(struct cof *cof, struct cof_thread *t);
	void (*set_period)(struct cof *cof, struct cof_thread *t,
			   uint64_t period_ns);

	/*
	 * SAM: move what the kernel holds for this thread into `sink`, a
	 * function that takes n words (pc first, then return addresses).
	 * Returns the samples the kernel lost. NULL: the handler does it.
	 */
	uint64_t (*read)(struct cof *cof, struct cof_thread *t,
			 void (*sink)(void *arg, const uint64_t *w, uint64_t n),
			 void *arg);
};

extern const struct cof_source cof_source_perf, cof_source_timer,
	cof_source_itimer, cof_source_replay;

#endif /* COF_SAMPLER_SOURCE_H */
