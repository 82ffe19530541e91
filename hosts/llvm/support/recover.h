/*
 * recover.h - end one build, and not the process, where LLVM gives up
 *
 * LLVM reports what it cannot compile, and memory that it does not get, to a
 * handler that must not return. Inside cofl_recover() the handler throws an
 * exception through LLVM's frames. What LLVM had allocated there is lost, and
 * its locks are not released: it holds none while it compiles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void cofl_recover_fn(void *arg);

/* Call f(arg), which must not hold a lock that it takes itself. False: LLVM
 * gave up, and `why` has the reason, in one line. Thread: any. */
bool cofl_recover(cofl_recover_fn *f, void *arg, char *why, size_t why_bytes);

/* Leave the calling thread's cofl_recover(). Returns if it is in none. */
void cofl_recover_leave(const char *reason);

#ifdef __cplusplus
}
#endif
