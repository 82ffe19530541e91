/*
 * counter_shards.h - where counting code counts: the same places in a block per thread
 *
 * Each thread of the program has a block of memory that only it writes, so
 * counting takes neither atomic instructions nor cache lines from others. Code
 * finds its thread's block through one word at a fixed distance from the thread
 * pointer. A block is never unmapped: when its thread ends the next one goes on
 * in it, and what it holds still counts. Threads nobody saw begin, and those
 * that are about to end, share a block, and may lose counts there.
 *
 * Process-wide. Thread: any, but not a signal handler.
 */
#ifndef COFL_PROFILE_COUNTER_SHARDS_H
#define COFL_PROFILE_COUNTER_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the word is, relative to the thread pointer (%fs). */
int64_t cofl_counter_shards_word(void);

/* The calling thread begins; without memory it shares the common block. */
void cofl_counter_shards_enter(void);

/*
 * A range of `bytes`, the same offset in every block, zeroed; multiples of a
 * cache line. False: all taken.
 */
bool cofl_counter_shards_alloc(size_t bytes, uint32_t *offset);

/* No code can count there any more. */
void cofl_counter_shards_free(uint32_t offset, size_t bytes);

/* Call fn with the range in each block. Threads may be counting meanwhile. */
void cofl_counter_shards_each(uint32_t offset,
		     void (*fn)(void *arg, const void *range), void *arg);

/* For a fork: what cofl_counter_shards_enter() needs is in order in the child. */
void cofl_counter_shards_lock(void);
void cofl_counter_shards_unlock(void);

#endif /* COFL_PROFILE_COUNTER_SHARDS_H */
