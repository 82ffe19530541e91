/*
 * unit_select.c - the hottest of one phase, within limits
 */
#include "optimizer/build/unit_select.h"

#include <stdbool.h>

#include <stdlib.h>

/* For qsort(): the oldest phase first, within a phase the hottest. */
static int order(const void *x, const void *y)
{
	const struct cof_candidate *a = x, *b = y;

	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (a->heat != b->heat)
		return a->heat > b->heat ? -1 : 1;
	return 0;
}

/* Has one of the first `n` waited for long enough? */
static bool waited(const struct cof_candidate *all, uint32_t n,
		   uint64_t generation, uint32_t wait)
{
	for (uint32_t i = 0; i < n; i++)
		if (generation >= all[i].since + wait)
			return true;
	return false;
}

static void swap(struct cof_candidate *a, struct cof_candidate *b)
{
	struct cof_candidate one = *a;

	*a = *b;
	*b = one;
}

/* Gain per cost of building the first `n`. */
static double gain_per_cost(const struct cof_candidate *all, uint32_t n)
{
	double heat = 0, ns = 1;

	for (uint32_t i = 0; i < n; i++) {
		heat += all[i].heat;
		ns += (double)all[i].expected_ns;
	}
	return heat / ns;
}

/* Move those within the limit to the front, in order. Returns how many. */
static uint32_t part(struct cof_candidate *all, uint32_t n, uint64_t limit_ns)
{
	uint32_t within = 0;

	for (uint32_t i = 0; i < n; i++)
		if (all[i].expected_ns <= limit_ns)
			swap(&all[within++], &all[i]);
	return within;
}

/* Pack the hottest and what fits with it, out of `n` within the limit. Returns
 * how many. */
static uint32_t pack(struct cof_candidate *all, uint32_t n,
		     const struct cof_unit_limits *limits)
{
	uint32_t took = n > 0;
	uint64_t ns = n > 0 ? all[0].expected_ns : 0;

	for (uint32_t i = 1; i < n && took < limits->methods; i++) {
		/* Go on: a cheaper one may still fit. */
		if (ns + all[i].expected_ns > limits->ns)
			continue;
		ns += all[i].expected_ns;
		swap(&all[took++], &all[i]);
	}
	return took;
}

/* Take a unit out of `n` of one phase, hottest first. */
static uint32_t take(struct cof_candidate *all, uint32_t n,
		     const struct cof_unit_limits *limits)
{
	uint32_t within = part(all, n, limits->ns);
	uint32_t took = pack(all, within, limits), best = within;

	for (uint32_t i = within; i < n; i++)
		if (gain_per_cost(&all[i], 1) > gain_per_cost(&all[best], 1))
			best = i;
	if (best == n ||
	    (took > 0 &&
	     gain_per_cost(all, took) > gain_per_cost(&all[best], 1)))
		return took;
	swap(&all[0], &all[best]);
	return 1;
}

uint32_t cof_unit_select(struct cof_candidate *all, uint32_t n,
			 uint32_t coming, uint64_t phase, uint64_t generation,
			 const struct cof_unit_limits *limits)
{
	uint32_t same = 0;

	if (n == 0)
		return 0;
	qsort(all, n, sizeof(*all), order);
	while (same < n && all[same].phase == all[0].phase)
		same++;
	/* No method joins a phase that is over. */
	if (same < limits->methods && all[0].phase == phase &&
	    !waited(all, same, generation, coming > 0 ? limits->wait : 1))
		return 0;
	return take(all, same, limits);
}
