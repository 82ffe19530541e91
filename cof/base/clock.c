/*
 * clock.c - the one clock of the process; see clock.h
 */
#include "base/clock.h"

#include <stddef.h>

cof_clock_fn *cof_clock_injected;
