/*
 * chords.c - see chords.h
 */
#include "count/chords.h"

#include <stdio.h>
#include <stdlib.h>

#include "ir/attribute.h"
#include "ir/loops.h"
#include "support/xcalloc.h"

bool cofl_chords_can(LLVMValueRef f, char *why, size_t why_bytes)
{
	if (!cofl_attribute_has(f, "naked") &&
	    !cofl_attribute_has(f, "noprofile"))
		return true;
	snprintf(why, why_bytes, "the program forbids to count it");
	return false;
}

void cofl_chords_find(struct cofl_counters *c, const struct cofl_body *body)
{
	uint8_t *depth = cofl_xcalloc(body->graph.n_nodes, 1);

	/* The outside is in none. */
	cofl_loops_depths(LLVMGetBasicBlockParent(body->block[0]), depth + 1);
	*c = (struct cofl_counters){
		.chord = cofl_xcalloc(body->graph.n_edges, sizeof(*c->chord)),
	};
	cofl_graph_chords(&body->graph, depth, c->chord);
	free(depth);
	cofl_counters_lay_out(c, body->graph.n_edges, body->outline.n_sites);
}
