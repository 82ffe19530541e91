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

/* Where Mono ends without shutting down. */
static void exit_without(void)
{
	cof_exit(followed->cof);
}

void cofm_ending_follow(struct cofm *h, void (*ended)(struct cofm *host))
{
	followed = h;
	when_ended = ended;
	atexit(exit_without);
	mono_profiler_set_runtime_shutdown_begin_callback(h->profiler,
							  shutting_down);
}
