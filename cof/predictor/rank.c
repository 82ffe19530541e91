/*
 * rank.c - insert into a sorted array; see rank.h
 */
#include "predictor/rank.h"

void cof_rank_insert(struct cof_rank *rank, const struct cof_ranked *r)
{
	uint32_t i = 0;

	while (i < rank->n && rank->at[i].version != r->version)
		i++;
	if (i < rank->n) {
		if (r->key <= rank->at[i].key)
			return;
	} else if (rank->n < rank->max) {
		rank->n++;
	} else {
		i--;
	}
	for (; i > 0 && rank->at[i - 1].key < r->key; i--)
		rank->at[i] = rank->at[i - 1];
	rank->at[i] = *r;
}
