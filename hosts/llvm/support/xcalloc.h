/*
 * xcalloc.h - allocate, or end the process
 */
#pragma once

#include <stddef.h>

/* Zeroed memory for n elements of `bytes` each, for the caller to free(3).
 * Never NULL, even if n is 0. Ends the process if there is no memory. */
void *cofl_xcalloc(size_t n, size_t bytes);
