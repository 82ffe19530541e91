/*
 * source.h - where samples come from
 *
 * A source is opened once per instance and attached once per thread. If it
 * raises a signal, the handler fills the thread's ring (handler.h). If not, SAM
 * reads the source.
 *
 * The ladder (ladder.h) opens the best source the kernel allows:
 *
 *	perf        hardware event: exact, no signal; needs a PMU
 *	timer       per-thread CPU timer: uses the kernel's tick, costs nothing
 *	itimer      one timer for the process; uneven between threads
 *	none        no samples; cof-stats says so
 *
 * perf with a software event (perf-clock) costs a timer interrupt per sample
 * (20-40 us in a VM), so it must be asked for. If a source declines a thread
 * (no more timers, no more locked memory), the next rung is tried.
 *
 * Thread: open and close run on the thread that starts and stops the sampler;
 * a spare source is opened when a thread attaches. That and the other functions
 * run under the threads lock, on the attached thread or on SAM; read_all() runs
 * on SAM without it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/tuning.h"

struct cof;
struct cof_thread;

/* Takes one sample of n words: the pc, then return addresses. */
typedef void cof_sample_fn(void *arg, const uint64_t *w, uint64_t n);

/* How a sample is delivered; what that costs outside the handler. */
enum cof_delivery {
	COF_DELIVERY_FREE,
	COF_DELIVERY_SIGNAL,
	COF_DELIVERY_PERF,
	COF_DELIVERY_PERF_CLOCK,
};

struct cof_source {
	const char *name;
	enum cof_delivery delivery;
	bool        signals;	/* needs the sampling signal */
	bool        in_tick;	/* the kernel's tick: at most one sample each */

	/*
	 * Can it be used here? Returns 0 and *state, which all other calls get
	 * and close() frees; or a negative cof_err and one line in why.
	 */
	int  (*open)(struct cof *cof, void **state, char *why,
		     size_t why_bytes);
	void (*close)(void *state);

	/* Sample t every period_ns of its CPU time. Returns 0, or a negative
	 * cof_err: it declines t. attach, detach and set_period are NULL in a
	 * source that is not by thread. */
	int  (*attach)(void *state, struct cof_thread *t, uint64_t period_ns);
	void (*detach)(void *state, struct cof_thread *t);
	void (*set_period)(void *state, struct cof_thread *t,
			   uint64_t period_ns);

	/*
	 * SAM: pass the samples that the kernel holds for t to `sink`. Returns
	 * how many the kernel lost. NULL: the handler takes the samples.
	 */
	uint64_t (*read)(void *state, struct cof_thread *t,
			 cof_sample_fn *sink, void *arg);

	/*
	 * SAM, once a round and without the threads lock: pass the samples
	 * that belong to no thread to `sink`. NULL: there are none.
	 */
	void (*read_all)(void *state, cof_sample_fn *sink, void *arg);
};

/* The estimate for one sample. */
static inline uint64_t cof_source_delivery_ns(const struct cof_source *source)
{
	switch (source->delivery) {
	case COF_DELIVERY_SIGNAL:
		return COF_TUNE(delivery_signal_ns);
	case COF_DELIVERY_PERF:
		return COF_TUNE(delivery_perf_ns);
	case COF_DELIVERY_PERF_CLOCK:
		return COF_TUNE(delivery_perf_clock_ns);
	case COF_DELIVERY_FREE:
		break;
	}
	return 0;
}

extern const struct cof_source cof_source_perf, cof_source_perf_clock,
	cof_source_timer, cof_source_itimer, cof_source_replay;

/* perf.c: close the descriptor of t's perf event, if it still is one. */
void cof_perf_close(struct cof_thread *t);
