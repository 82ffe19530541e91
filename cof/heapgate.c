/*
 * heapgate.c - a fork's side; see heapgate.h
 */
#include "heapgate.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/single_threaded.h>

_Atomic uint32_t cof_heapgate_users;

/* Constant once registered. */
static void (*slow_prepare)(void), (*slow_parent)(void), (*slow_child)(void);

/* By a fork; fork.c lets one thread fork at a time. */
static bool went_slow;

static bool is_shut(void)
{
	return atomic_load_explicit(&cof_heapgate_users,
				    memory_order_relaxed) & COF_HEAPGATE_SHUT;
}

void cof_heapgate_wait(void)
{
	cof_heapgate_leave();
	while (is_shut())
		sched_yield();
}

/*
 * The last of all such hooks, since jemalloc's are the first that are registered.
 * Signals are blocked (fork.c), so that none is handled on this thread that would
 * wait for it; they are not where there is no other thread, nor is it shut then.
 */
static void prepare(void)
{
	uint32_t none = 0;

	if (__libc_single_threaded &&
	    atomic_load_explicit(&cof_heapgate_users,
				 memory_order_relaxed) == 0)
		return;
	if (atomic_compare_exchange_strong_explicit(
		    &cof_heapgate_users, &none, COF_HEAPGATE_SHUT,
		    memory_order_acquire, memory_order_relaxed))	/* C */
		return;
	slow_prepare();
	went_slow = true;
}

static void in_parent(void)
{
	if (went_slow) {
		went_slow = false;
		slow_parent();
	} else if (is_shut()) {
		atomic_fetch_sub_explicit(&cof_heapgate_users,
					  COF_HEAPGATE_SHUT,
					  memory_order_release);	/* D */
	}
}

/*
 * Who was just coming in, on another thread, is not here. But who was in is for
 * ever, so that this child forks the slow way.
 */
static void in_child(void)
{
	if (went_slow) {
		went_slow = false;
		slow_child();
	} else if (is_shut()) {
		atomic_store_explicit(&cof_heapgate_users, 0,
				      memory_order_relaxed);
	}
}

int cof_heapgate_atfork(void (*before)(void), void (*parent)(void),
			void (*child)(void))
{
	slow_prepare = before;
	slow_parent = parent;
	slow_child = child;
	return pthread_atfork(prepare, in_parent, in_child);
}
