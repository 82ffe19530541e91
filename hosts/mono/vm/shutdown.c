/*
 * shutdown.c - shutdown: the loop ends before Mono does
 *
 * The module for the stock `mono` has this file too, so it uses only functions
 * that Mono exports.
 */
#include "vm/shutdown.h"

#include <stdlib.h>

#include <mono/jit/jit.h>

#include "vm/host.h"

/* Mono exports these. Its installed headers do not declare them. */
void *mono_threads_enter_gc_safe_region(void **stack);
void  mono_threads_exit_gc_safe_region(void *cookie, void **stack);
void *mono_threads_enter_gc_unsafe_region(void **stack);
void  mono_threads_exit_gc_unsafe_region(void *cookie, void **stack);
void *mono_thread_info_current_unchecked(void);

static struct cofm *followed;
static void (*when_ended)(struct cofm *host);
static bool over;	/* only the thread that ends Mono */

/*
 * Libcof's threads may be in Mono: they stop the world there, or wait for a
 * thread that a collection has stopped. So they end before Mono does. Meanwhile
 * this thread must not count as one that runs managed code, or they would wait
 * for it.
 */
void cofm_shutdown_now(void)
{
	struct cofm *h = followed;
	void *stack, *cookie;

	if (!h || over)
		return;
	over = true;
	/* This comes first: cof_stop() makes this thread discard versions, and
	 * it would enter Mono while it counts as being outside. */
	atomic_store_explicit(&h->running, false, memory_order_release);
	cookie = mono_threads_enter_gc_safe_region(&stack);
	cof_stop(h->cof);
	if (when_ended)
		when_ended(h);
	mono_threads_exit_gc_safe_region(cookie, &stack);
}

static void shutting_down(MonoProfiler *ctx)
{
	(void)ctx;
	cofm_shutdown_now();
}

/*
 * The thread calls exit(), and Mono may count it as one that runs managed code,
 * as after an exception that nothing caught. Then a thread that stops the world
 * waits for this one, and SAM waits for that thread. Mono's state of this
 * thread is not known here. So the thread first enters the state "runs",
 * whatever it was in, and from there the state "does not run".
 */
static void exit_attached(struct cofm *h)
{
	void *runs, *waits, *stack, *deeper;

	runs = mono_threads_enter_gc_unsafe_region(&stack);
	waits = mono_threads_enter_gc_safe_region(&deeper);
	cof_exit(h->cof);
	mono_threads_exit_gc_safe_region(waits, &deeper);
	mono_threads_exit_gc_unsafe_region(runs, &stack);
}

/* atexit(): for when Mono ends without shutting down. */
static void exit_without(void)
{
	struct cofm *h = followed;

	if (atomic_load_explicit(&h->running, memory_order_acquire) &&
	    mono_thread_info_current_unchecked())
		exit_attached(h);
	else
		cof_exit(h->cof);
}

void cofm_shutdown_follow(struct cofm *h, void (*ended)(struct cofm *host))
{
	followed = h;
	when_ended = ended;
	atexit(exit_without);
	mono_profiler_set_runtime_shutdown_begin_callback(h->profiler,
							  shutting_down);
}
