/*
 * weight.h - the two filters, and folding samples into a version's COF word
 *
 *	             W >= hit_weight
 *	  (a) low  ------------------->  (b) in the hit list
 *	           <-------------------
 *	             W < hit_weight / 2
 *
 *	(a)  W[n] = calls + W[n-1]/2          gain 2; saturates at 16 bits
 *	(b)  W[n] = Q(calls/2) + Q(W[n-1]/2)  gain 1; at most 65534
 *
 * Both are first-order IIR filters with the same pole; Q cuts off the fraction
 * (cof-2005, "Weight calculation"; docs/glossary.md has the sources).
 *
 * The way out has a hysteresis of factor 2, the ratio of the gains. With c
 * samples in every generation (a) gives 2c - 1, so a version joins if
 * 2c - 1 >= T. From then on (b) gives at least 2Q(c/2) >= c - 1 >= (T - 1)/2,
 * which is not below Q(T/2). So a version with a steady rate stays once it has
 * joined. The only exception is T = 1 with one sample per generation, since
 * half a sample is none.
 *
 * Decay is lazy: a word holds the generation in which its weight was computed,
 * and the halvings missed since then are applied when it is next touched. That
 * field has 16 bits, so a version not touched for 65536 generations (3.6 hours
 * at 200 ms) seems to have been touched just now. It was not in the hit list,
 * whose members are folded in every generation. So the weight that comes back
 * by mistake is below the threshold, and half of it is gone in the next
 * generation.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "code/word.h"

/* Weight after `n` generations without a sample. */
static inline uint32_t cof_weight_decay(uint32_t w, uint32_t n)
{
	return n < 16 ? w >> n : 0;
}

/* Filter (a); `half` is Q(W[n-1]/2). */
static inline uint32_t cof_weight_low(uint32_t half, uint32_t calls)
{
	return half + calls < UINT16_MAX ? half + calls : UINT16_MAX;
}

/* Filter (b). */
static inline uint32_t cof_weight_hit(uint32_t half, uint32_t calls)
{
	return half + calls / 2;
}

/* A version with less than this leaves the hit list. */
static inline uint32_t cof_weight_leave(uint32_t hit_weight)
{
	return hit_weight / 2 > 1 ? hit_weight / 2 : 1;
}

/* The log2(weight) bucket: 0 is 0, 1 is 1, 2 and 3 are 2, 4 to 7 are 3, ... */
static inline uint32_t cof_weight_bucket(uint32_t w)
{
	return w ? 32u - (uint32_t)__builtin_clz(w) : 0;
}

/* The result of a fold. */
struct cof_fold {
	uint32_t weight;	/* W[n] */
	uint32_t calls;		/* samples taken out of the word */
	uint32_t climbed;	/* buckets gained over W[n-1]; 0 if it fell */
	bool     was_hit;	/* in the hit list before, */
	bool     is_hit;	/* and after */
	bool     settled;
};

/*
 * Turn the word's calls into weight, as of `generation`. `may_join`: the hit
 * list has space. SAM and P/O may change the word at the same time: no sample
 * and no flag is lost.
 *
 * False: the version is dead, and nothing was changed.
 *
 * Thread: PRE only; it owns the weight, the generation and COF_WORD_HIT.
 */
bool cof_weight_fold(_Atomic uint64_t *word, uint64_t generation,
		     uint32_t hit_weight, bool may_join, struct cof_fold *out);
