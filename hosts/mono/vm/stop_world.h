/*
 * stop_world.h - stop the world, to change code that threads may be about to
 * run
 *
 * A jump of 5 bytes cannot replace shorter instructions while a thread stands
 * between them. Mono's collector can stop all threads that run managed code, at
 * safepoints: calls, loop heads, and returns into managed code. None lies
 * inside the instructions that set up a frame. If a signal handler interrupted
 * a thread there, Mono waits for that thread as for any other that runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Do threads stop at safepoints? Not if MONO_THREADS_SUSPEND is preemptive:
 * then they stop wherever they are. */
bool cofm_stop_world_is_safe(void);

/* Inside cofm_attach_enter(). Between the two, allocate nothing and take no
 * lock. */
void cofm_stop_world_begin(void);
void cofm_stop_world_end(void);

/* How long the world was stopped: from before the first thread is asked to stop
 * until the last is told to go on. Median and 99th percentile are of the latest
 * 4096. */
struct cofm_stop_world_stats {
	uint64_t stops, p50_ns, p99_ns, max_ns;
};

void cofm_stop_world_stats(struct cofm_stop_world_stats *out);
