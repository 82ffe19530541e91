/*
 * shutdown_early.c - the loop ends before Mono waits for its helpers
 *
 *	mini_cleanup()	stops the sampler of a profiler, and waits for it,
 *			reports the shutdown to profilers, the latest first;
 *			one may wait for its own threads
 *			...
 *
 * In these waits Mono counts the thread as one that runs managed code. If
 * libcof stopped the world then, it would wait for this thread, and this thread
 * for one that has been stopped.
 *
 * The linker's --wrap leads Mono's calls here.
 */
#include "vm/internals.h"
#include "vm/shutdown.h"

void __wrap_mono_runtime_shutdown_stat_profiler(void)
{
	cofm_shutdown_now();
	__real_mono_runtime_shutdown_stat_profiler();
}

void __wrap_mono_profiler_raise_runtime_shutdown_begin(void)
{
	cofm_shutdown_now();
	__real_mono_profiler_raise_runtime_shutdown_begin();
}
