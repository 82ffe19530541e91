/*
 * pending.h - the threads that have something for SAM: a lock-free stack
 *
 * Of thousands of threads most may sleep, and SAM's rounds are to cost what the
 * samples cost. So the handler puts its thread here when it has put a sample
 * into its ring, and so does a thread that detaches. SAM takes all of them.
 *
 *	handler                            SAM
 *	push to the ring                   take all
 *	is_pending: false -> true (A)      is_pending = false (B)
 *	if it was false: put    (C)        pop from the ring
 *
 * A and B change one word, acquire and release. If A comes first, B sees what
 * was pushed. Else A finds false and puts the thread again. C pairs with the
 * take.
 *
 * Async-signal-safe: put().
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "threads/threads.h"

static inline void cof_pending_put(struct cof_threads *threads,
				   struct cof_thread *t)
{
	struct cof_thread *first;

	if (atomic_exchange_explicit(&t->is_pending, true,
				     memory_order_acq_rel))	/* A */
		return;
	first = atomic_load_explicit(&threads->pending, memory_order_relaxed);
	do
		t->next_pending = first;
	while (!atomic_compare_exchange_weak_explicit(
			&threads->pending, &first, t, memory_order_release,
			memory_order_relaxed));			/* C */
}

/* SAM, threads lock: the first of all of them. NULL: there is none. */
static inline struct cof_thread *cof_pending_take(struct cof_threads *threads)
{
	return atomic_exchange_explicit(&threads->pending, NULL,
					memory_order_acquire);
}

/* SAM: the one after t. From now on t may be put again. */
static inline struct cof_thread *cof_pending_next(struct cof_thread *t)
{
	struct cof_thread *next = t->next_pending;

	atomic_exchange_explicit(&t->is_pending, false,
				 memory_order_acq_rel);		/* B */
	return next;
}
