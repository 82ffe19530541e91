/*
 * graph.c - spanning trees and flow; see graph.h
 */
#include "profile/graph.h"

#include <stdlib.h>
#include <string.h>

#include "support/tuning.h"
#include "support/xcalloc.h"

void cofl_graph_init(struct cofl_graph *graph, uint32_t n_blocks)
{
	*graph = (struct cofl_graph){ .n_nodes = n_blocks + 1 };
	cofl_graph_add(graph, COFL_OUTSIDE, 1, COFL_SHARE_ALL);
}

uint32_t cofl_graph_add(struct cofl_graph *graph, uint32_t from, uint32_t to,
			uint32_t share)
{
	uint32_t n = graph->n_edges;

	/* The array is full when n is a power of two. */
	if ((n & (n - 1)) == 0) {
		graph->edge = cofl_xcalloc_grow(graph->edge,
					    n ? 2 * (size_t)n : 1,
					    sizeof(*graph->edge));
	}
	graph->edge[n] = (struct cofl_edge){ from, to, share };
	return graph->n_edges++;
}

/* FNV-1a over nodes and edges, which a profile must agree with. */
void cofl_graph_seal(struct cofl_graph *graph)
{
	uint64_t h = 0xcbf29ce484222325u;

	h = (h ^ graph->n_nodes) * 0x100000001b3u;
	for (uint32_t e = 0; e < graph->n_edges; e++) {
		h = (h ^ graph->edge[e].from) * 0x100000001b3u;
		h = (h ^ graph->edge[e].to) * 0x100000001b3u;
	}
	graph->hash = h;
}

void cofl_graph_free(struct cofl_graph *graph)
{
	free(graph->edge);
	*graph = (struct cofl_graph){ 0 };
}

/* Edges by one end: of node v they are list[first[v]] to list[first[v + 1]). */
struct ends {
	uint32_t *first, *list;
};

static struct ends by_end(const struct cofl_graph *g, bool to)
{
	struct ends ends = { cofl_xcalloc(g->n_nodes + 1, sizeof(uint32_t)),
			     cofl_xcalloc(g->n_edges, sizeof(uint32_t)) };
	uint32_t *at = cofl_xcalloc(g->n_nodes, sizeof(uint32_t));

	for (uint32_t e = 0; e < g->n_edges; e++)
		ends.first[(to ? g->edge[e].to : g->edge[e].from) + 1]++;
	for (uint32_t v = 0; v < g->n_nodes; v++)
		ends.first[v + 1] += ends.first[v];
	memcpy(at, ends.first, g->n_nodes * sizeof(*at));
	for (uint32_t e = 0; e < g->n_edges; e++)
		ends.list[at[to ? g->edge[e].to : g->edge[e].from]++] = e;
	free(at);
	return ends;
}

static void free_ends(struct ends *ends)
{
	free(ends->first);
	free(ends->list);
}

/* -- Chords ---------------------------------------------------------------- */

struct candidate {
	uint64_t weight;
	uint32_t edge;
};

static int heaviest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->edge < y->edge ? -1 : 1;
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

/* A loop is expected to go round ten times. */
static uint64_t weight_of(const struct cofl_edge *e, const uint8_t *depth)
{
	uint32_t d = depth[e->from] < depth[e->to] ? depth[e->from] :
						     depth[e->to];
	uint64_t weight = e->share;

	for (uint32_t i = 0; i < d && i < COFL_TUNE(edge_loop_depth); i++)
		weight *= 10;
	return weight;
}

uint32_t cofl_graph_chords(const struct cofl_graph *g, const uint8_t *depth,
			   bool *chord)
{
	struct candidate *list = cofl_xcalloc(g->n_edges, sizeof(*list));
	uint32_t *parent = cofl_xcalloc(g->n_nodes, sizeof(*parent));
	uint32_t n = 0;

	for (uint32_t v = 0; v < g->n_nodes; v++)
		parent[v] = v;
	for (uint32_t e = 0; e < g->n_edges; e++)
		list[e] = (struct candidate){ weight_of(&g->edge[e], depth),
					      e };
	qsort(list, g->n_edges, sizeof(*list), heaviest_first);
	for (uint32_t i = 0; i < g->n_edges; i++) {
		const struct cofl_edge *e = &g->edge[list[i].edge];
		uint32_t a = root_of(parent, e->from);
		uint32_t b = root_of(parent, e->to);

		chord[list[i].edge] = a == b;
		n += a == b;
		parent[a] = b;
	}
	free(list);
	free(parent);
	return n;
}

/* -- Flow ------------------------------------------------------------------ */

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

struct solving {
	const struct cofl_graph *graph;
	struct ends in, out;
	bool     *known;
	uint32_t *n_unknown;	/* edges at each node */
	uint64_t *count;
	uint32_t *todo;		/* nodes with one */
	uint32_t  n_todo;
};

/* The sum of the known edges on one side of node v, and the unknown edge. */
static uint64_t side(const struct solving *s, const struct ends *ends,
		     uint32_t v, uint32_t *unknown, bool *found)
{
	uint64_t sum = 0;

	for (uint32_t k = ends->first[v]; k < ends->first[v + 1]; k++) {
		uint32_t e = ends->list[k];

		if (s->known[e])
			sum = add(sum, s->count[e]);
		else
			*unknown = e, *found = true;
	}
	return sum;
}

static void settle(struct solving *s, uint32_t v)
{
	const struct cofl_edge *edge;
	bool is_in = false, is_out = false;
	uint32_t e = 0, other;
	uint64_t in, out;

	if (s->n_unknown[v] != 1)
		return;
	in = side(s, &s->in, v, &e, &is_in);
	out = side(s, &s->out, v, &e, &is_out);
	if (is_in)
		s->count[e] = out > in ? out - in : 0;
	else
		s->count[e] = in > out ? in - out : 0;
	s->known[e] = true;
	edge = &s->graph->edge[e];
	other = edge->from == v ? edge->to : edge->from;
	s->n_unknown[v]--;
	if (--s->n_unknown[other] == 1 && other != COFL_OUTSIDE)
		s->todo[s->n_todo++] = other;
}

/*
 * From the leaves of the tree inwards. The outside is the root, where flow that
 * came in and never left, or left another way, is no contradiction.
 */
void cofl_graph_solve(const struct cofl_graph *g, const bool *chord,
		      uint64_t *count)
{
	struct solving s = {
		.graph = g, .count = count,
		.in = by_end(g, true), .out = by_end(g, false),
		.known = cofl_xcalloc(g->n_edges, sizeof(bool)),
		.n_unknown = cofl_xcalloc(g->n_nodes, sizeof(uint32_t)),
		.todo = cofl_xcalloc(g->n_nodes, sizeof(uint32_t)),
	};

	for (uint32_t e = 0; e < g->n_edges; e++) {
		s.known[e] = chord[e];
		if (chord[e])
			continue;
		count[e] = 0;
		s.n_unknown[g->edge[e].from]++;
		s.n_unknown[g->edge[e].to]++;
	}
	for (uint32_t v = 1; v < g->n_nodes; v++)
		if (s.n_unknown[v] == 1)
			s.todo[s.n_todo++] = v;
	while (s.n_todo > 0)
		settle(&s, s.todo[--s.n_todo]);
	free_ends(&s.in);
	free_ends(&s.out);
	free(s.known);
	free(s.n_unknown);
	free(s.todo);
}

void cofl_graph_nodes(const struct cofl_graph *g, const uint64_t *count,
		      uint64_t *node)
{
	uint64_t *in = cofl_xcalloc(g->n_nodes, sizeof(*in));

	memset(node, 0, g->n_nodes * sizeof(*node));
	for (uint32_t e = 0; e < g->n_edges; e++) {
		node[g->edge[e].from] = add(node[g->edge[e].from], count[e]);
		in[g->edge[e].to] = add(in[g->edge[e].to], count[e]);
	}
	for (uint32_t v = 0; v < g->n_nodes; v++)
		if (in[v] > node[v])
			node[v] = in[v];
	free(in);
}
