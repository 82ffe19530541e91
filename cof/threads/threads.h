/*
 * threads.h - attached guest threads, and listed stacks
 *
 * Attach and detach run on the guest thread itself. Detach hands the record to
 * SAM, which drains its ring one last time and frees it; without SAM it is
 * freed at once. If a thread ends without detaching, a destructor of
 * thread-specific data detaches it. That is too early for the code that it runs
 * in later destructors, so a host should not rely on it.
 *
 * A thread is attached to at most one instance of the process at a time.
 *
 * The record belongs to the thread: it is never freed while its handler runs.
 * But another thread may end the instance, so the handler's use of it is
 * guarded:
 *
 *	handler on the thread              the thread that stops sampling
 *	busy = true               (A)      live = NULL               (C)
 *	load live                 (B)      load busy                 (D)
 *	NULL: nothing to do                true: wait, at most 2 s
 *	... use the instance
 *	busy = false, release     (E)
 *
 * A to D are sequentially consistent: either D sees the handler busy, or B sees
 * NULL. E pairs with D, which is an acquire too: if D reads false, all that the
 * handler did came before. The thread itself sets `live` at attach, before any
 * signal can come, and only while there is a SAM. Once NULL, it stays NULL, but
 * in a fork's child: there SAM's maker sets it, before any timer is made. Until
 * then has_child_timer takes its part: cleared at C, read at B.
 *
 * If a handler does not end in time, its thread gets no processor, or another
 * signal's handler left it by siglongjmp(3). The two cannot be told apart, so
 * cof_free() leaves the instance as it is. In the second case the thread's next
 * signal clears the flag.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"

struct cof;
struct cof_rung;

struct cof_thread {
	/* Written by the thread itself, in the signal handler. */
	struct cof_ring  ring;		/* producer side; SAM is the consumer */
	_Atomic uint64_t taken;		/* samples the handler got */
	_Atomic uint64_t ring_full;	/* of these, refused by the ring */
	_Atomic uint64_t handler_tsc;	/* time-stamp ticks spent in it */
	_Atomic uint64_t frames;	/* return addresses recorded */
	_Atomic uint64_t scanned;	/* the last scan round it answered */

	/* Of threads/pending.h. */
	_Atomic bool       is_pending;
	struct cof_thread *next_pending;

	_Atomic bool     busy;		/* the handler is under way: A, D, E */
	_Atomic(struct cof *) live;	/* what it may touch: B, C */

	/* Constant after attach, but for cof_free(): NULL, exits lock. */
	struct cof      *cof;
	int              tid;
	uintptr_t        stack_lo, stack_hi;

	/*
	 * Owned by the source (sampler/sources/source.h), under the threads
	 * lock. The thread's handler reads has_timer and sampled, relaxed: they
	 * only decide whether a signal counts as a sample.
	 */
	struct cof_rung *rung;		/* the one that took it; NULL: none */
	int              perf_fd;	/* -1: none */
	void            *perf_map;
	timer_t          timer;
	_Atomic bool     has_timer;
	timer_t          poke;		/* threads/poke.h */
	bool             has_poke;
	int              child_timer;	/* the kernel's number of it, for
					 * sampler/child_start.h */
	_Atomic bool     has_child_timer;	/* B, C */
	_Atomic bool     sampled;	/* some source took it */
	bool             unsampled;	/* none did, and it counts so */

	/* Threads lock. */
	struct cof_thread *next, **link;	/* what points to it */
	bool             gone;		/* detached; SAM drains and frees */
	uint64_t         cpu_ns;	/* its CPU time when it detached */

	/* SAM's: how much of the counts above is in flow already. */
	uint64_t         seen_full, seen_tsc, seen_frames;
	uint64_t         seen_cpu_ns;
	uint32_t         window;	/* in which its clock was read last */
	uint64_t         period_ns;	/* that it was given last */
	uint64_t         rng;		/* for jitter */

	/* The thread's handler's, in a fork's child. */
	uint64_t         child_mask;	/* signals blocked at the last look */
	unsigned         child_looks;	/* in a row at which these were */
};

/* A listed stack. */
struct cof_stack {
	struct cof_stack *next;
	uintptr_t         lo, hi;
};

/*
 * What the sampler does when a thread attaches or detaches. attach() and
 * detach() run on that thread, under the threads lock.
 */
struct cof_threads_hooks {
	/* Words that a ring needs for the samples between two drains. */
	uint64_t (*ring_words)(const struct cof *cof);
	void     (*attach)(struct cof *cof, struct cof_thread *t);
	/* True: SAM will drain and free the record. False: the caller must. */
	bool     (*detach)(struct cof *cof, struct cof_thread *t);
	/* In a fork's child: close what it inherited of the source. */
	void     (*forget)(struct cof_thread *t);
	/* In a fork's child, in which t is the one thread. */
	void     (*forked)(struct cof *cof, struct cof_thread *t);
};

struct cof_threads {
	const struct cof_threads_hooks *sampler;	/* constant */
	pthread_mutex_t    lock;
	struct cof_thread *list;	/* lock */
	struct cof_thread *_Atomic pending;	/* of threads/pending.h */
	struct cof_stack  *stacks;	/* lock */
	bool               lists_stacks;	/* lock: the host did once */
	_Atomic bool       on_other_stack;	/* a signal found a thread on
						 * none that is known */
	uint32_t           n;		/* lock: attached and not gone */
	int                expected;	/* lock: the thread that is to attach;
					 * 0: none */
	int                poke_signal;	/* lock; 0: no handler is installed */
};

/*
 * The calling thread's record, or NULL. Initial-exec, and set before the first
 * signal can come, so that the handler may read it.
 */
extern _Thread_local struct cof_thread *_Atomic cof_thread_self
	__attribute__((tls_model("initial-exec")));

/* NULL: no memory. */
struct cof_threads *cof_threads_new(const struct cof_threads_hooks *sampler);
void cof_threads_free(struct cof_threads *threads);

/* [threads lock] Take the record off the list, count it detached, free it. */
void cof_threads_drop(struct cof *cof, struct cof_thread *t);

/*
 * [threads lock] Keep all handlers out of the instance from now on, and wait
 * for those that are inside: C, D. Blocks for 2 s at most. False: a handler did
 * not end. The caller gives no `live` to threads that attach later.
 */
bool cof_threads_quiesce(struct cof_threads *threads);

/*
 * For api/fork_hooks.c, around fork(2), and in the child, in which only the
 * calling thread goes on. The locks of the instance are held.
 */
void cof_threads_exit_lock(void);
void cof_threads_exit_unlock(void);
void cof_threads_in_child(struct cof *cof);
