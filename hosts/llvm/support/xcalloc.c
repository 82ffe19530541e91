/*
 * xcalloc.c - see xcalloc.h
 */
#include "support/xcalloc.h"

#include <stdlib.h>

#include "support/fatal.h"

void *cofl_xcalloc(size_t n, size_t bytes)
{
	void *p = calloc(n + 1, bytes);

	if (p == NULL)
		cofl_fatal("out of memory");
	return p;
}
