/*
 * callbacks.h - the LLVM host as libcof sees it
 */
#pragma once

#include "cof.h"
#include "program/host.h"

/* The callback table for `host`. */
void cofl_callbacks(struct cofl *host, struct cof_host *out);

/* Give the method a version that has nothing inlined, if that can be built. Any
 * thread of the program's, no lock held. */
void cofl_callbacks_rebuild(struct cofl_method *method);
