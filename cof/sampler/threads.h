/*
 * threads.h - the guest threads that are attached, and the stacks that are listed
 *
 * Attach and detach run on the guest thread itself. A thread that detached is
 * handed to SAM, which drains its ring one last time and frees it; without SAM
 * it is freed at once.
 */
#ifndef COF_SAMPLER_THREADS_H
#define COF_SAMPLER_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "ring.h"

struct cof;

struct cof_thread {
	/* Written by the thread itself, in the signal handler. */
	struct cof_ring  ring;		/* producer side; SAM is the consumer */
	_Atomic uint64_t taken;		/* samples the handler got */
	_Atomic uint64_t ring_full;	/* of these, refused by the ring */
	_Atomic uint64_t handler_tsc;	/* time-stamp ticks spent in it */
	_Atomic uint64_t frames;	/* return addresses recorded */
	_Atomic uint64_t scanned;	/* the last scan round it answered */

	/* Constant after attach. */
	struct cof      *cof;
	int              tid;
	uintptr_t        stack_lo, stack_hi;

	/* The source's, sampler/source.h. */
	int              perf_fd;	/* -1: none */
	void            *perf_map;
	timer_t          timer;
	bool             has_timer;
	bool             sampled;	/* some source took it */

	/* Threads lock. */
	struct cof_thread *next;
	bool             gone;		/* detached; SAM drains and frees */

	/* SAM's: how much of the counts above went into flow already. */
	uint64_t         seen_taken, seen_full, seen_tsc, seen_frames;
	uint64_t         seen_cpu_ns;
};

/* A listed stack. */
struct cof_stack {
	struct cof_stack *next;
	uintptr_t         lo, hi;
};

struct cof_threads {
	pthread_mutex_t    lock;
	struct cof_thread *list;	/* lock */
	struct cof_stack  *stacks;	/* lock */
	uint32_t           n;		/* lock: attached and not gone */
};

/*
 * The calling thread's record, or NULL. Initial-exec and set before the first
 * signal can come, so that the handler may read it.
 */
extern _Thread_local struct cof_thread *_Atomic cof_self
	__attribute__((tls_model("initial-exec")));

struct cof_threads *cof_threads_new(void);	/* NULL: no memory */
void cof_threads_free(struct cof_threads *threads);

#endif /* COF_SAMPLER_THREADS_H */
