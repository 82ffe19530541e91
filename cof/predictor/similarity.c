/*
 * similarity.c - weighted overlap; see similarity.h
 */
#include "predictor/similarity.h"

#include <assert.h>

#include "options/tuning.h"

/* The method's part of the top ten's weight. */
static double share(const struct cof_top *top, const struct cof_method *method)
{
	for (uint32_t i = 0; i < top->n; i++)
		if (top->at[i].method == method)
			return (double)top->at[i].weight / top->total;
	return 0;
}

uint32_t cof_similarity(const struct cof_top *now,
			const struct cof_top_lists *past)
{
	double overlap = 0;

	assert(now->total > 0 && past->pushed > 0);
	for (uint32_t i = 0; i < now->n; i++) {
		double here = (double)now->at[i].weight / now->total;
		double before = 0;
		uint32_t k = 0;

		for (; k < COF_TUNE(similarity_before); k++) {
			const struct cof_top *t = cof_top_lists_at(past, k);

			if (!t)
				break;
			before += share(t, now->at[i].method);
		}
		before /= k;
		overlap += before < here ? before : here;
	}
	return (uint32_t)(overlap * 1000 + 0.5);
}
