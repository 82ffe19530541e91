/*
 * world.h - change code that others may be about to run
 *
 * An instruction of 4 bytes and one of 5 cannot change places under a thread that
 * is between them. Mono's collector can stop all threads that run managed code,
 * at safepoints: these are calls, loop heads and returns into managed code, and
 * never inside the instructions that set up a frame. A thread that a signal
 * handler interrupted there is waited for as any other that runs.
 */
#ifndef COFM_WORLD_H
#define COFM_WORLD_H

#include <stdbool.h>
#include <stdint.h>

/* Can the world be stopped so? No if MONO_THREADS_SUSPEND is preemptive: then
 * threads stop wherever they are. */
bool cofm_world_is_safe(void);

/* Inside cofm_enter(). Nothing may be allocated or locked in between. */
void cofm_world_stop(void);
void cofm_world_start(void);

/* From before the first thread is asked to stop until the last is told to go
 * on. Median and 99th percentile of the latest 4096. */
struct cofm_world_stats {
	uint64_t stops, p50_ns, p99_ns, max_ns;
};

void cofm_world_stats(struct cofm_world_stats *out);

#endif /* COFM_WORLD_H */
