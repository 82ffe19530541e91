/*
 * callbacks.h - the LLVM host as libcof sees it
 */
#pragma once

#include "cof.h"
#include "program/host.h"

/* The callback table for `host`. */
void cofl_callbacks(struct cofl *host, struct cof_host *out);

/*
 * Build first versions of the method and of those that it calls by name, the
 * nearest first, up to a bound: before it runs where the compiler must not. Any
 * guest thread; returns with signals and cancellation as they were.
 */
void cofl_callbacks_first_calls(struct cofl_method *method);

/* Give the method a version that has nothing inlined, if that can be built. Any
 * guest thread, no lock held. */
void cofl_callbacks_rebuild(struct cofl_method *method);
