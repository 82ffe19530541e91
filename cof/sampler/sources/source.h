/*
 * source.h - where samples come from
 *
 * A source is opened once per instance and attached once per thread. Those that
 * raise a signal fill the thread's ring from the handler (handler.h); those
 * that do not are read by SAM.
 *
 * The ladder (ladder.h) opens the best source the kernel allows:
 *
 *	perf        hardware event: exact, no signal; needs a PMU
 *	timer       per-thread CPU timer: rides the kernel's tick, free
 *	itimer      one for the process; uneven between threads
 *	none        counted, and said by cof-stats
 *
 * perf with a software event (perf-clock) costs a timer interrupt a sample
 * (20-40 us in a VM), so it is taken only when asked for. A thread that a
 * source refuses (no more timers, no more locked memory) is offered to the next
 * rung.
 *
 * Thread: open and close by whoever starts and stops the sampler; the others
 * under the threads lock, on the thread itself or on SAM.
 */
#ifndef COF_SAMPLER_SOURCES_SOURCE_H
#define COF_SAMPLER_SOURCES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof;
struct cof_thread;

/* Takes one sample of n words: the pc, then return addresses. */
typedef void cof_sample_fn(void *arg, const uint64_t *w, uint64_t n);

struct cof_source {
	const char *name;
	/*
	 * Estimated cost of one sample besides the handler, in ns: interrupt
	 * and signal delivery.
	 */
	uint64_t    delivery_ns;
	bool        signals;	/* needs the sampling signal */

	/*
	 * Can it be used here? 0 and *state, which all other calls get and
	 * close() frees; or a negative cof_err and one line in why.
	 */
	int  (*open)(struct cof *cof, void **state, char *why,
		     size_t why_bytes);
	void (*close)(void *state);

	/* Sample this thread every period_ns of its CPU time. 0, or a negative
	 * cof_err: not this one. NULL, and the next two: not by thread. */
	int  (*attach)(void *state, struct cof_thread *t, uint64_t period_ns);
	void (*detach)(void *state, struct cof_thread *t);
	void (*set_period)(void *state, struct cof_thread *t,
			   uint64_t period_ns);

	/*
	 * SAM: move what the kernel holds for this thread into `sink`. Returns
	 * the samples the kernel lost. NULL: the handler does it.
	 */
	uint64_t (*read)(void *state, struct cof_thread *t,
			 cof_sample_fn *sink, void *arg);

	/*
	 * SAM, once a round and without the threads lock: samples that belong
	 * to no thread. NULL: there are none.
	 */
	void (*read_all)(void *state, cof_sample_fn *sink, void *arg);
};

extern const struct cof_source cof_source_perf, cof_source_perf_clock,
	cof_source_timer, cof_source_itimer, cof_source_replay;

/* perf.c: close the descriptor of t's event, if it has one that still is one. */
void cof_perf_close(struct cof_thread *t);

#endif /* COF_SAMPLER_SOURCES_SOURCE_H */
