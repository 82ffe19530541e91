/*
 * top_lists.c - a ring of top tens; see top_lists.h
 */
#include "predictor/top_lists.h"

#include <stddef.h>

#include "code/version.h"
#include "predictor/rank.h"

void cof_top_lists_make(struct cof_top *top, const struct cof_rank *rank,
			uint64_t generation)
{
	*top = (struct cof_top){ .generation = generation };
	for (uint32_t i = 0; i < rank->n && i < COF_TOP; i++) {
		const struct cof_method *m = rank->at[i].version->method;
		uint32_t k = 0;

		while (k < top->n && top->at[k].method != m)
			k++;
		if (k == top->n) {
			top->at[k].method = m;
			top->n++;
		}
		top->at[k].weight += rank->at[i].weight;
		top->total += rank->at[i].weight;
	}
}

void cof_top_lists_push(struct cof_top_lists *lists, const struct cof_top *top)
{
	lists->ring[lists->pushed++ % COF_TOP_LISTS_DEPTH] = *top;
}

const struct cof_top *cof_top_lists_at(const struct cof_top_lists *lists,
				       uint32_t back)
{
	if (back >= COF_TOP_LISTS_DEPTH || back >= lists->pushed)
		return NULL;
	return &lists->ring[(lists->pushed - 1 - back) % COF_TOP_LISTS_DEPTH];
}
