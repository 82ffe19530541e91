/*
 * graph.h - the flow graph of a method, and the edges that must be counted
 *
 *	outside --0--> block 0 --> ... --> block n --> outside
 *
 * Node 0 is outside the method, node i + 1 is block i. Flow into a block is
 * flow out of it. So it is enough to count the edges outside some spanning
 * tree, the chords; the others follow (Knuth and Stevenson 1973; Ball and Larus
 * 1994). The tree has the edges that look busy. Edges are numbered by block,
 * then by successor, without repetition, so a number means the same edge in
 * every copy of the program.
 *
 * Pure: without LLVM.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define COFL_OUTSIDE 0u

/* The sum of the shares of a node's outgoing edges, about. */
#define COFL_SHARE_ALL (1u << 16)

struct cofl_edge {
	uint32_t from, to;	/* nodes */
	uint32_t share;		/* expected part of the flow out of `from` */
};

struct cofl_graph {
	uint32_t          n_nodes, n_edges;
	struct cofl_edge *edge;	/* edge 0 is the entry; grouped by .from */
	uint64_t          hash;	/* of the outline; cofl_graph_seal() */
};

/* Add edges in order, then call cofl_graph_seal(). */
void cofl_graph_init(struct cofl_graph *graph, uint32_t n_blocks);
uint32_t cofl_graph_add(struct cofl_graph *graph, uint32_t from, uint32_t to,
			uint32_t share);
void cofl_graph_seal(struct cofl_graph *graph);
void cofl_graph_free(struct cofl_graph *graph);

/* Which edges are chords; returns how many. depth[]: in how many loops each
 * node is. */
uint32_t cofl_graph_chords(const struct cofl_graph *graph, const uint8_t *depth,
			   bool *chord);

/*
 * Fill in count[], which holds the counts of chords, for the other edges.
 * Counts may contradict each other: increments raced, frames are still inside,
 * or left by longjmp. Then an edge gets the nearest count that is not negative.
 * Sums saturate.
 */
void cofl_graph_solve(const struct cofl_graph *graph, const bool *chord,
		      uint64_t *count);

/* How often each node ran: the larger of the flow in and the flow out. */
void cofl_graph_nodes(const struct cofl_graph *graph, const uint64_t *count,
		      uint64_t *node);
