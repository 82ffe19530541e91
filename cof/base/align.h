/*
 * align.h - the next multiple
 */
#ifndef COF_BASE_ALIGN_H
#define COF_BASE_ALIGN_H

#include <stdint.h>

/* The least multiple of `to`, which is not 0, that is not below n. Wraps round near
 * the end of the numbers. */
static inline uint64_t cof_align_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

#endif /* COF_BASE_ALIGN_H */
