/*
 * units.h - names for units of time and the size of a page
 */
#pragma once

#include <stdint.h>

#define COF_US_NS UINT64_C(1000)
#define COF_MS_NS UINT64_C(1000000)
#define COF_S_NS  UINT64_C(1000000000)

/* x86-64 has no smaller page, and code memory uses no larger one. */
#define COF_PAGE_BYTES 4096u
