/*
 * group.c - the hottest of one phase, within limits
 */
#include "group.h"

#include <stdlib.h>

/* Qsort's: the oldest phase first, and of one phase the hottest. */
static int order(const void *x, const void *y)
{
	const struct cof_candidate *a = x, *b = y;

	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (a->heat != b->heat)
		return a->heat > b->heat ? -1 : 1;
	return 0;
}

/* Of the first `n`, has one waited for long enough? */
static bool waited(const struct cof_candidate *all, uint32_t n,
		   uint64_t generation, uint32_t wait)
{
	for (uint32_t i = 0; i < n; i++)
		if (generation >= all[i].since + wait)
			return true;
	return false;
}

uint32_t cof_group_take(struct cof_candidate *all, uint32_t n,
			uint32_t coming, uint64_t phase, uint64_t generation,
			const struct cof_group_limits *limits)
{
	uint32_t same = 0, took = 1, i;
	uint64_t ns;

	if (n == 0)
		return 0;
	qsort(all, n, sizeof(*all), order);
	while (same < n && all[same].phase == all[0].phase)
		same++;
	/* Of a phase that is over, nobody comes any more. */
	if (same < limits->methods && all[0].phase == phase &&
	    !waited(all, same, generation, coming > 0 ? limits->wait : 1))
		return 0;
	ns = all[0].expected_ns;
	for (i = 1; i < same && took < limits->methods; i++) {
		struct cof_candidate one = all[i];

		/* A cheaper one may still fit. */
		if (ns + one.expected_ns > limits->ns)
			continue;
		ns += one.expected_ns;
		all[i] = all[took];
		all[took++] = one;
	}
	return took;
}
