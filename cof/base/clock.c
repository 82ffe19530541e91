/*
 * clock.c - the process's injected clock; see clock.h
 */
#include "base/clock.h"

#include <stddef.h>

cof_clock_fn *cof_clock_injected;
