/*
 * top_lists.h - a ring of the top tens of past generations
 *
 * PRE has two: of the heaviest, and of the best climbers. A top ten is a list
 * of methods with their weights, not of versions: a recompiled method is still
 * the same method, and methods live as long as the instance.
 */
#pragma once

#include <stdint.h>

#define COF_TOP             10u
#define COF_TOP_LISTS_DEPTH 16u	/* generations */

struct cof_method;
struct cof_rank;

struct cof_top {
	uint64_t generation;
	uint32_t n;
	uint32_t total;			/* of the weights */
	struct {
		const struct cof_method *method;	/* each once */
		uint32_t                 weight;
	} at[COF_TOP];
};

struct cof_top_lists {
	uint64_t       pushed;		/* ever */
	struct cof_top ring[COF_TOP_LISTS_DEPTH];
};

/* Make *top of the first COF_TOP of a ranking; versions of a method add up. */
void cof_top_lists_make(struct cof_top *top, const struct cof_rank *rank,
			uint64_t generation);

/* Add a copy of *top. It replaces the oldest if the ring is full. */
void cof_top_lists_push(struct cof_top_lists *lists,
			const struct cof_top *top);

/* The top ten pushed `back` before the latest; NULL: the ring does not have
 * it. */
const struct cof_top *cof_top_lists_at(const struct cof_top_lists *lists,
				       uint32_t back);
