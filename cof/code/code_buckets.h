/*
 * code_buckets.h - where in its code a version was sampled: coarse counters
 *
 * The code is cut into 8 to 16 buckets of 2^k bytes. SAM counts the samples
 * that fall in each, for members of the hit list only. PRE takes the difference
 * from what it read in the generation before. It does not read all members: of
 * one that it passed over, the difference is of more than a generation, and
 * says nothing. The counters wrap around, which does no harm: a generation has
 * at most 65535 samples of a version.
 *
 * Thread: add() is SAM's, take() PRE's. Each counter has one writer.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define COF_CODE_BUCKETS 16u

struct cof_code_buckets {
	_Atomic uint16_t count[COF_CODE_BUCKETS]; /* SAM's */
	uint16_t         taken[COF_CODE_BUCKETS]; /* PRE's: as last read, */
	uint32_t         taken_in;	/* PRE's: generation; 0: never */
};

/* In which bucket of `bytes` bytes of code is `offset`? `bytes` is not 0. */
static inline uint32_t cof_code_buckets_of(uint64_t offset, uint64_t bytes)
{
	uint32_t bits = bytes > 1 ? 64u - (uint32_t)__builtin_clzll(bytes - 1) :
				    0;

	return (uint32_t)(bits > 4 ? offset >> (bits - 4) : offset);
}

/* SAM: count a sample in bucket `at`. */
static inline void cof_code_buckets_add(struct cof_code_buckets *buckets,
					uint32_t at)
{
	_Atomic uint16_t *c = &buckets->count[at & (COF_CODE_BUCKETS - 1)];

	atomic_store_explicit(c, (uint16_t)
			      (atomic_load_explicit(c, memory_order_relaxed) +
			       1), memory_order_relaxed);
}

/* PRE: get the samples of `generation`; none if the generation before was not
 * read. */
static inline void cof_code_buckets_take(struct cof_code_buckets *buckets,
					 uint32_t generation,
					 uint16_t to[COF_CODE_BUCKETS])
{
	bool is_next = buckets->taken_in != 0 &&
		       generation == buckets->taken_in + 1;

	buckets->taken_in = generation;
	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++) {
		uint16_t now = atomic_load_explicit(&buckets->count[i],
						    memory_order_relaxed);

		to[i] = is_next ? (uint16_t)(now - buckets->taken[i]) : 0;
		buckets->taken[i] = now;
	}
}
