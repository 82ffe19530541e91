/*
 * callbacks.h - the LLVM host as libcof sees it
 */
#pragma once

#include "cof.h"
#include "program/host.h"

/* The callback table for `host`. */
void cofl_callbacks(struct cofl *host, struct cof_host *out);
