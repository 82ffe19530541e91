/*
 * callbacks.h - the LLVM host as libcof sees it
 */
#pragma once

#include "cof.h"
#include "program/host.h"

/* The callback table for `host`. */
void cofl_callbacks(struct cofl *host, struct cof_host *out);

/*
 * See to it that the method has a version. Any guest thread; returns with
 * signals and cancellation as they were.
 */
void cofl_callbacks_first_call(struct cofl_method *method);

/*
 * The same for the method and what it may call by name, the nearest first, up to
 * a bound: it is about to run where the compiler must not.
 */
void cofl_callbacks_first_calls(struct cofl_method *method);
