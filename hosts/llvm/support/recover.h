/*
 * recover.h - end one build, and not the process, where LLVM gives up or memory
 * is refused
 *
 * LLVM reports what it cannot compile, and memory that it does not get, to a
 * handler that must not return; so does xcalloc.h. Inside cofl_recover() the
 * handler throws an exception through the frames. What was allocated there is
 * lost. LLVM's locks are not released: it holds none while it compiles.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void cofl_recover_fn(void *arg);

/* Call f(arg), which must not hold a lock that it takes itself. False: LLVM
 * gave up, and `why` has the reason, in one line. Thread: any. */
bool cofl_recover(cofl_recover_fn *f, void *arg, char *why, size_t why_bytes);

/* The same under `lock`, which is taken and released here. */
bool cofl_recover_locked(pthread_mutex_t *lock, cofl_recover_fn *f, void *arg,
			 char *why, size_t why_bytes);

/* Leave the calling thread's cofl_recover(). Returns if it is in none. */
void cofl_recover_leave(const char *reason);

#ifdef __cplusplus
}
#endif
