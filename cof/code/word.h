/*
 * word.h - the 64-bit COF word of a version's JIT-info record
 *
 *	 63          48 47          32 31          16 15           0
 *	+--------------+--------------+--------------+--------------+
 *	|    weight    |    calls     |  generation  |    flags     |
 *	+--------------+--------------+--------------+--------------+
 *
 *	weight      from the predictor's filters, as of `generation`
 *	calls       samples since then
 *	generation  low 16 bits of the generation in which the weight was
 *	            computed; its decay since then is applied when the word is
 *	            next touched (cof-2005, "64 bits of data";
 *	            docs/glossary.md has the sources)
 *
 * SAM adds to calls, PRE turns calls into weight, and P/O sets and clears
 * flags. Each changes the whole word atomically, so none loses another's part.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum cof_word_flag {
	COF_WORD_HIT     = 1 << 0,	/* in the hit list; PRE */
	COF_WORD_SETTLED = 1 << 1,	/* nothing to gain now; P/O */
	COF_WORD_DEAD    = 1 << 2,	/* retired: to be dropped when met */
};

struct cof_word {
	uint16_t weight, calls, generation, flags;
};

static inline uint64_t cof_word_pack(struct cof_word w)
{
	/* The cast comes first: no bit is shifted out.
	 * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
	return (uint64_t)w.weight << 48 | (uint64_t)w.calls << 32 |
	       (uint64_t)w.generation << 16 | w.flags;
}

static inline struct cof_word cof_word_unpack(uint64_t v)
{
	return (struct cof_word){
		.weight = (uint16_t)(v >> 48), .calls = (uint16_t)(v >> 32),
		.generation = (uint16_t)(v >> 16), .flags = (uint16_t)v,
	};
}

static inline struct cof_word cof_word_read(const _Atomic uint64_t *at)
{
	return cof_word_unpack(atomic_load_explicit((_Atomic uint64_t *)at,
						    memory_order_relaxed));
}

/* Set and clear flags; the other parts stay as they are. */
static inline void cof_word_flags(_Atomic uint64_t *at, uint16_t set,
				  uint16_t clear)
{
	if (clear)
		atomic_fetch_and_explicit(at, ~(uint64_t)clear,
					  memory_order_relaxed);
	if (set)
		atomic_fetch_or_explicit(at, set, memory_order_relaxed);
}
