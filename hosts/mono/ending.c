/*
 * ending.c - see ending.h. Also in the module for the stock `mono`, so only what Mono
 * exports is used.
 */
#include "ending.h"

#include <stdlib.h>

#include <mono/jit/jit.h>

#include "host.h"

/* Exported, not declared in Mono's installed headers. */
void *mono_threads_enter_gc_safe_region(void **stack);
void  mono_threads_exit_gc_safe_region(void *cookie, void **stack);
void *mono_threads_enter_gc_unsafe_region(void **stack);
void  mono_threads_exit_gc_unsafe_region(void *cookie, void **stack);
void *mono_thread_info_current_unchecked(void);

static struct cofm *followed;
static void (*when_ended)(struct cofm *host);

/*
 * Libcof's threads may be in Mono, stop the world, or wait there for a thread that a
 * collection has stopped: they end before Mono does, and meanwhile this thread does
 * not count as running managed code.
 */
static void shutting_down(MonoProfiler *ctx)
{
	struct cofm *h = (struct cofm *)ctx;
	void *stack, *cookie;

	/* First: cof_stop() has versions discarded by this thread, which would
	 * enter Mono where it counts as being outside. */
	atomic_store_explicit(&h->running, false, memory_order_release);
	cookie = mono_threads_enter_gc_safe_region(&stack);
	cof_stop(h->cof);
	if (when_ended)
		when_ended(h);
	mono_threads_exit_gc_safe_region(cookie, &stack);
}

/*
 * exit() of a thread that Mono may take for running managed code, as where nobody
 * catches an exception: who stops the world waits for it, and SAM for who stops the
 * world. Whatever it counts as, it runs first, and then does not.
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

/* Where Mono ends without shutting down. */
static void exit_without(void)
{
	struct cofm *h = followed;

	if (atomic_load_explicit(&h->running, memory_order_acquire) &&
	    mono_thread_info_current_unchecked())
		exit_attached(h);
	else
		cof_exit(h->cof);
}

void cofm_ending_follow(struct cofm *h, void (*ended)(struct cofm *host))
{
	followed = h;
	when_ended = ended;
	atexit(exit_without);
	mono_profiler_set_runtime_shutdown_begin_callback(h->profiler,
							  shutting_down);
}
