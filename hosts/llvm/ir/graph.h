/*
 * graph.h - the flow graph of a method, and what must be counted of it
 *
 *	outside --0--> block 0 --> ... --> block n --> outside
 *
 * Node 0 is what lies outside the method, node i + 1 is block i. Flow into a
 * block is flow out of it, so it is enough to count the edges that are not in
 * some spanning tree (the chords), and the rest follows (Knuth and Stevenson
 * 1973; Ball and Larus 1994). The tree takes the edges that look busy. Edges are
 * numbered by block, then by successor, without repetition; so a number means
 * the same edge in every copy of the program.
 *
 * Pure: no LLVM in here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define COFL_OUTSIDE 0u

/* The shares of a node's outgoing edges add up to about this. */
#define COFL_SHARE_ALL (1u << 16)

struct cofl_edge {
	uint32_t from, to;	/* nodes */
	uint32_t share;		/* expected, of the flow out of `from` */
};

struct cofl_graph {
	uint32_t          n_nodes, n_edges;
	struct cofl_edge *edge;	/* edge 0 is the entry; grouped by .from */
	uint64_t          hash;	/* of the outline; cofl_graph_seal() */
};

/* Edges are added in order; cofl_graph_seal() ends this. */
void cofl_graph_init(struct cofl_graph *graph, uint32_t n_blocks);
uint32_t cofl_graph_add(struct cofl_graph *graph, uint32_t from, uint32_t to,
			uint32_t share);
void cofl_graph_seal(struct cofl_graph *graph);
void cofl_graph_free(struct cofl_graph *graph);

/* Which edges are chords; returns how many. depth[]: in how many loops each node
 * is. */
uint32_t cofl_graph_chords(const struct cofl_graph *graph, const uint8_t *depth,
			   bool *chord);

/*
 * From the counts of chords to all: count[] holds what was counted at chords and
 * is filled in for the others. Counts that contradict each other (increments
 * that raced; frames still inside, or left by longjmp) give the nearest that is
 * not negative. Sums saturate.
 */
void cofl_graph_solve(const struct cofl_graph *graph, const bool *chord,
		      uint64_t *count);

/* How often each node ran: the larger of what came in and what went out. */
void cofl_graph_nodes(const struct cofl_graph *graph, const uint64_t *count,
		      uint64_t *node);
