/*
 * top_lists.h - the top tens of past generations, round robin
 *
 * PRE keeps two: of the heaviest, and of the best climbers. A top ten is kept
 * by method, with its weights: a method that was recompiled meanwhile is the
 * same method, and methods, unlike versions, stay as long as the instance.
 */
#ifndef COF_PREDICTOR_TOP_LISTS_H
#define COF_PREDICTOR_TOP_LISTS_H

#include <stdint.h>

#define COF_TOP           10u
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

/* The first COF_TOP of a ranking; versions of one method are added up. */
void cof_top_lists_make(struct cof_top *top, const struct cof_rank *rank,
		  uint64_t generation);

/* Take a copy; the oldest is forgotten once COF_TOP_LISTS_DEPTH are there. */
void cof_top_lists_push(struct cof_top_lists *history, const struct cof_top *top);

/* The top ten of `back` generations before the latest; NULL: not there. */
const struct cof_top *cof_top_lists_at(const struct cof_top_lists *history,
				     uint32_t back);

#endif /* COF_PREDICTOR_TOP_LISTS_H */
