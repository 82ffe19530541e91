/*
 * counters.c - see counters.h
 */
#include "count/counters.h"

#include <stdlib.h>

#include "ir/loops.h"
#include "support/xcalloc.h"

void cofl_counters_init(struct cofl_counters *c, const struct cofl_body *body)
{
	uint8_t *depth = cofl_xcalloc(body->graph.n_nodes, 1);
	uint32_t n = 0;

	/* The outside is in none. */
	cofl_loops_depths(LLVMGetBasicBlockParent(body->block[0]), depth + 1);
	c->chord = cofl_xcalloc(body->graph.n_edges, sizeof(*c->chord));
	c->number = cofl_xcalloc(body->graph.n_edges, sizeof(*c->number));
	c->n = cofl_graph_chords(&body->graph, depth, c->chord);
	free(depth);
	for (uint32_t e = 0; e < body->graph.n_edges; e++)
		if (c->chord[e])
			c->number[e] = n++;
	c->sites = (c->n + 1) * sizeof(uint64_t);
	c->bytes = c->sites + body->outline.n_sites * sizeof(struct cofl_top);
}

void cofl_counters_free(struct cofl_counters *c)
{
	free(c->chord);
	free(c->number);
	*c = (struct cofl_counters){ 0 };
}
