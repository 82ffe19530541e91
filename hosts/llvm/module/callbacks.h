/*
 * callbacks.h - the LLVM host as libcof sees it
 */
#pragma once

#include "cof.h"
#include "cofl.h"

/* The callback table for `host`. */
void cofl_callbacks(struct cofl *host, struct cof_host *out);
