/*
 * rank.h - the best few of many, in one pass
 *
 * The array is sorted, best first. An offer that is not good enough costs one
 * comparison; in random order, all but about max * ln(n) of n offers are such.
 * Of equals, the first offer is ahead.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define COF_RANK_MAX 32u

struct cof_version;

struct cof_ranked {
	struct cof_version *version;
	uint32_t            key;	/* ranked by this; more is better */
	uint16_t            weight, calls;
	uint8_t             climbed;	/* buckets */
	bool                settled;	/* when it was folded */
};

struct cof_rank {
	uint32_t          n, max;
	struct cof_ranked at[COF_RANK_MAX];
};

static inline void cof_rank_init(struct cof_rank *rank, uint32_t max)
{
	rank->n = 0;
	rank->max = max;
}

/* Insert *r. A version already there stays once, with the better key. */
void cof_rank_insert(struct cof_rank *rank, const struct cof_ranked *r);

/* Insert *r if it is good enough. */
static inline void cof_rank_offer(struct cof_rank *rank,
				  const struct cof_ranked *r)
{
	if (rank->n < rank->max || r->key > rank->at[rank->n - 1].key)
		cof_rank_insert(rank, r);
}
