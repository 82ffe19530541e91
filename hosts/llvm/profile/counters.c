/*
 * counters.c - see counters.h
 */
#include "profile/counters.h"

#include <stdlib.h>

#include "profile/method_profile.h"
#include "support/xcalloc.h"

void cofl_counters_lay_out(struct cofl_counters *c, uint32_t n_edges,
			   uint32_t n_sites)
{
	c->n = 0;
	c->number = cofl_xcalloc(n_edges, sizeof(*c->number));
	for (uint32_t e = 0; e < n_edges; e++)
		if (c->chord[e])
			c->number[e] = c->n++;
	c->sites = ((size_t)c->n + 1) * sizeof(uint64_t);
	c->bytes = c->sites + n_sites * sizeof(struct cofl_top);
}

void cofl_counters_free(struct cofl_counters *c)
{
	free(c->chord);
	free(c->number);
	*c = (struct cofl_counters){ 0 };
}
