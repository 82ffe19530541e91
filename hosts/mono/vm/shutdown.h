/*
 * shutdown.h - shutdown: the loop ends before Mono does
 */
#pragma once

struct cofm;

/*
 * Call it once, with host->profiler set. `ended` is called when the loop has
 * ended, but not if Mono ends without shutting down. It may be NULL.
 */
void cofm_shutdown_follow(struct cofm *host, void (*ended)(struct cofm *host));

/* Mono is about to end: end the loop, if that was not done before. The calling
 * thread counts as one that runs managed code. */
void cofm_shutdown_now(void);
