/*
 * rank.c - insertion; see rank.h
 */
#include "predictor/rank.h"

void cof_rank_insert(struct cof_rank *rank, const struct cof_ranked *r)
{
	uint32_t hole = 0;

	while (hole < rank->n && rank->at[hole].version != r->version)
		hole++;
	if (hole < rank->n) {
		if (r->key <= rank->at[hole].key)
			return;
	} else if (rank->n < rank->max) {
		rank->n++;
	} else {
		hole--;
	}
	for (; hole > 0 && rank->at[hole - 1].key < r->key; hole--)
		rank->at[hole] = rank->at[hole - 1];
	rank->at[hole] = *r;
}
