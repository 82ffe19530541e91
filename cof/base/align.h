/*
 * align.h - the next multiple
 */
#pragma once

#include <stdint.h>

/*
 * The least multiple of `to` that is not below n. `to` is not 0. Wraps round
 * near UINT64_MAX.
 */
static inline uint64_t cof_align_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}
