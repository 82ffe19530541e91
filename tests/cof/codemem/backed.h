/*
 * backed.h - how much memory backs a code range
 */
#pragma once

#include <stdlib.h>
#include <sys/mman.h>

#include "codemem/code_range.h"

/* In bytes; pages in swap do not count. */
static inline size_t backed_bytes(const struct cof_code_range *range)
{
	size_t pages = range->bytes / 4096, n = 0;
	unsigned char *in = malloc(pages);

	assert_non_null(in);
	assert_int_equal(mincore(range->write, range->bytes, in), 0);
	for (size_t i = 0; i < pages; i++)
		n += in[i] & 1;
	free(in);
	return n * 4096;
}
