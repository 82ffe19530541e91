/*
 * ring.h - a ring of records of words, from one thread to another
 *
 *              push              pop               init
 *   push       one thread only   -                 stop both first
 *   pop        -                 one thread only   stop both first
 *
 * "-": safe together, no lock. A record is a word with its length, then that
 * many words. Push is wait-free, does not allocate and is async-signal-safe. It
 * refuses a record that does not fit as a whole; the caller counts that.
 *
 * The orderings, by letter:
 *
 *	producer                        consumer
 *	load-acquire tail      (A)      load-acquire head      (C)
 *	store words                     load words
 *	store-release head     (B)      store-release tail     (D)
 *
 * B pairs with C: a consumer that sees the head sees the words.
 * D pairs with A: a producer that reuses a word sees that it was read.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/flow.h"

struct cof_ring {
	/* Written by the producer. */
	_Alignas(COF_CACHELINE) _Atomic uint64_t head;	/* words ever pushed */
	uint64_t tail_seen;	/* as the producer last read it */

	/* Written by the consumer. */
	_Alignas(COF_CACHELINE) _Atomic uint64_t tail;	/* words ever popped */
	uint64_t head_seen;	/* as the consumer last read it */

	/* Constant after cof_ring_init(). */
	_Alignas(COF_CACHELINE) uint64_t mask;		/* words - 1 */
	uint64_t *word;					/* borrowed */
};

/* Of `n` words, a power of two, in memory that outlives the ring. */
static inline void cof_ring_init(struct cof_ring *r, uint64_t *word, uint64_t n)
{
	atomic_init(&r->head, 0);
	atomic_init(&r->tail, 0);
	r->tail_seen = r->head_seen = 0;
	r->mask = n - 1;
	r->word = word;
}

/* Producer. Returns 1, or 0 if there is no room for the record. */
static inline int cof_ring_push(struct cof_ring *r, const uint64_t *rec,
				uint64_t n)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (head - r->tail_seen + n > r->mask) {
		r->tail_seen = atomic_load_explicit(
			&r->tail, memory_order_acquire);	/* A */
		if (head - r->tail_seen + n > r->mask)
			return 0;
	}
	r->word[head & r->mask] = n;
	for (uint64_t i = 0; i < n; i++)
		r->word[(head + 1 + i) & r->mask] = rec[i];
	atomic_store_explicit(&r->head, head + 1 + n,
			      memory_order_release);		/* B */
	return 1;
}

/* Producer: is all taken? */
static inline int cof_ring_is_empty(struct cof_ring *r)
{
	return atomic_load_explicit(&r->head, memory_order_relaxed) ==
	       atomic_load_explicit(&r->tail, memory_order_relaxed);
}

/*
 * Consumer. Copies the first `max` words of the oldest record to rec, and takes
 * the record off. Returns its full length, or 0 if the ring is empty. No record
 * is empty.
 */
static inline uint64_t cof_ring_pop(struct cof_ring *r, uint64_t *rec,
				    uint64_t max)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	uint64_t n;

	if (tail == r->head_seen) {
		r->head_seen = atomic_load_explicit(
			&r->head, memory_order_acquire);	/* C */
		if (tail == r->head_seen)
			return 0;
	}
	n = r->word[tail & r->mask];
	for (uint64_t i = 0; i < n && i < max; i++)
		rec[i] = r->word[(tail + 1 + i) & r->mask];
	atomic_store_explicit(&r->tail, tail + 1 + n,
			      memory_order_release);		/* D */
	return n;
}
