/*
 * counter_shards.h - a block of counters a thread, the same offsets in each
 *
 * Each thread of the program has a block of memory that only it writes. So
 * counting needs no atomic instructions and no cache lines of other threads.
 * Code finds its thread's block through one word at a fixed distance from the
 * thread pointer.
 *
 * A block is never unmapped. When its thread ends, the next thread takes it
 * over, and its counts stay. Threads that nobody saw begin, and threads about
 * to end, share one common block, and may lose counts there.
 *
 * Process-wide. Thread: any, but not a signal handler.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The distance in bytes of the word from the thread pointer (%fs). */
int64_t cofl_counter_shards_word(void);

/* The calling thread begins. Without memory it shares the common block. */
void cofl_counter_shards_enter(void);

/*
 * Allocate a zeroed range at the same offset of every block; offset and size
 * are multiples of a cache line. False: there is no free range.
 */
bool cofl_counter_shards_alloc(size_t bytes, uint32_t *offset);

/* Free a range. No code may count there any more. */
void cofl_counter_shards_free(uint32_t offset, size_t bytes);

/* Call fn with the range of each block, under the lock. Threads may be counting
 * meanwhile. */
void cofl_counter_shards_each(uint32_t offset,
			      void (*fn)(void *arg, const void *range),
			      void *arg);

/* Around a fork, so that cofl_counter_shards_enter() works in the child. */
void cofl_counter_shards_lock(void);
void cofl_counter_shards_unlock(void);
