/*
 * test_graph.c - spanning trees and flow: what chords counted gives all counts
 */
#include "profile/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROOM 4096

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

struct arc {
	uint32_t from, to, share;
};

/* By node. */
static const uint8_t no_loop[64];

/* n blocks, and edges as far as one from 0. */
static void graph_of(struct cofl_graph *g, uint32_t n, const struct arc *arc)
{
	cofl_graph_init(g, n);
	for (; arc->from != 0; arc++)
		cofl_graph_add(g, arc->from, arc->to, arc->share);
	cofl_graph_seal(g);
}

/* n blocks; each has an edge to some others, or out, any that come. */
static void random_graph(struct cofl_graph *g, uint32_t n)
{
	cofl_graph_init(g, n);
	for (uint32_t v = 1; v <= n; v++) {
		uint32_t seen[4], k = 0, out = draw(4);

		for (uint32_t i = 0; i < out; i++) {
			uint32_t to = 1 + draw(n), j = 0;

			while (j < k && seen[j] != to)
				j++;
			if (j == k && to != 1) {	/* not the entry */
				seen[k++] = to;
				cofl_graph_add(g, v, to, 1 + draw(100));
			}
		}
		if (k == 0)
			cofl_graph_add(g, v, COFL_OUTSIDE, 1);
	}
	cofl_graph_seal(g);
}

/*
 * Walk through the graph `walks` times, up to `steps` edges each, and count
 * what is passed. Those that do not get out in time stay inside.
 */
static uint32_t walk(const struct cofl_graph *g, uint64_t *count,
		     uint32_t walks, uint32_t steps)
{
	uint32_t inside = 0;

	for (uint32_t w = 0; w < walks; w++) {
		uint32_t v = 1, s = 0;

		count[0]++;
		for (; v != COFL_OUTSIDE && s < steps; s++) {
			uint32_t e, n = 0, pick = 0;

			for (e = 0; e < g->n_edges; e++)
				if (g->edge[e].from == v && draw(++n) == 0)
					pick = e;
			count[pick]++;
			v = g->edge[pick].to;
		}
		inside += v != COFL_OUTSIDE;
	}
	return inside;
}

static void keep_chords(const struct cofl_graph *g, const bool *chord,
			const uint64_t *from, uint64_t *to)
{
	for (uint32_t e = 0; e < g->n_edges; e++)
		to[e] = chord[e] ? from[e] : 0xdead;
}

static void every_count_follows_from_the_chords(void **unused)
{
	static uint64_t count[ROOM], solved[ROOM];
	static bool chord[ROOM];
	uint8_t depth[41];

	(void)unused;
	state = 1;
	for (uint32_t round = 0; round < 300; round++) {
		struct cofl_graph g;

		random_graph(&g, 1 + draw(40));
		memset(count, 0, sizeof(count));
		/* Whoever is still inside spoils the flow of one block: try
		 * only walks that all got out. */
		if (walk(&g, count, 20, 2000) == 0) {
			for (uint32_t v = 0; v < g.n_nodes; v++)
				depth[v] = v % 4;
			cofl_graph_chords(&g, depth, chord);
			keep_chords(&g, chord, count, solved);
			cofl_graph_solve(&g, chord, solved);
			for (uint32_t e = 0; e < g.n_edges; e++)
				assert_int_equal(solved[e], count[e]);
		}
		cofl_graph_free(&g);
	}
}

/* All blocks reachable: the tree has one edge less than there are nodes. */
static void there_are_no_more_counters_than_needed(void **unused)
{
	static bool chord[ROOM];
	struct cofl_graph g;

	(void)unused;
	/* 1 -> 2, 3; 2 -> 4; 3 -> 4; 4 -> 1 is no way in LLVM: 4 -> 2, out */
	graph_of(&g, 4, (const struct arc[]){
		{ 1, 2, 1 }, { 1, 3, 1 }, { 2, 4, 1 }, { 3, 4, 1 }, { 4, 2, 1 },
		{ 4, COFL_OUTSIDE, 1 }, { 0 } });
	assert_int_equal(cofl_graph_chords(&g, no_loop, chord),
			 g.n_edges - (g.n_nodes - 1));
	cofl_graph_free(&g);
}

static void inner_loops_are_counted_where_they_run_least(void **unused)
{
	bool chord[8] = { 0 };
	const uint8_t depth[4] = { 0, 0, 1, 1 };
	struct cofl_graph g;

	(void)unused;
	/* Block 2 loops on itself through 3; 3 is hardly taken. */
	graph_of(&g, 3, (const struct arc[]){
		{ 1, 2, COFL_SHARE_ALL }, { 2, 3, COFL_SHARE_ALL - 10 },
		{ 2, COFL_OUTSIDE, 10 }, { 3, 2, COFL_SHARE_ALL }, { 0 } });
	cofl_graph_chords(&g, depth, chord);
	/* One of the two edges of the loop must be; not the way out, and what
	 * leads in and out once is counted once. */
	assert_int_equal(chord[2] + chord[4], 1);
	assert_int_equal(chord[0] + chord[1] + chord[3], 1);
	cofl_graph_free(&g);
}

static void a_loop_with_two_entries_is_no_trouble(void **unused)
{
	uint64_t count[8] = { 0 }, solved[8];
	bool chord[8];
	const uint8_t depth[4] = { 0, 0, 1, 1 };
	struct cofl_graph g;

	(void)unused;
	/* 1 -> 2, 1 -> 3, 2 -> 3, 3 -> 2, 3 -> out: irreducible. */
	graph_of(&g, 3, (const struct arc[]){
		{ 1, 2, 1 }, { 1, 3, 1 }, { 2, 3, 1 }, { 3, 2, 1 },
		{ 3, COFL_OUTSIDE, 1 }, { 0 } });
	state = 7;
	assert_int_equal(walk(&g, count, 100, 100000), 0);
	cofl_graph_chords(&g, depth, chord);
	keep_chords(&g, chord, count, solved);
	cofl_graph_solve(&g, chord, solved);
	assert_memory_equal(solved, count, g.n_edges * sizeof(*count));
	cofl_graph_free(&g);
}

static void a_loop_without_end_has_counts_but_no_exit(void **unused)
{
	uint64_t solved[4], node[4];
	bool chord[4];
	struct cofl_graph g;

	(void)unused;
	/* 1 -> 2, 2 -> 2: entered once, went round a thousand times. */
	graph_of(&g, 2, (const struct arc[]){
		{ 1, 2, 1 }, { 2, 2, 1 }, { 0 } });
	cofl_graph_chords(&g, no_loop, chord);
	assert_true(chord[2]);	/* a block's edge to itself is in no tree */
	solved[2] = 1000;
	for (uint32_t e = 0; e < 2; e++)
		solved[e] = chord[e] ? 1 : 0xdead;
	cofl_graph_solve(&g, chord, solved);
	assert_int_equal(solved[2], 1000);
	cofl_graph_nodes(&g, solved, node);
	assert_true(node[2] >= 1000);
	cofl_graph_free(&g);
}

static void counts_that_contradict_each_other_are_not_negative(void **unused)
{
	static uint64_t solved[ROOM];
	static bool chord[ROOM];

	(void)unused;
	state = 5;
	for (uint32_t round = 0; round < 100; round++) {
		struct cofl_graph g;

		random_graph(&g, 1 + draw(30));
		cofl_graph_chords(&g, no_loop, chord);
		for (uint32_t e = 0; e < g.n_edges; e++)
			solved[e] = chord[e] ? draw(1000) : 0xdead;
		cofl_graph_solve(&g, chord, solved);
		for (uint32_t e = 0; e < g.n_edges; e++)
			assert_true(solved[e] <= (uint64_t)1000 * g.n_edges);
		cofl_graph_free(&g);
	}
}

static void sums_do_not_wrap(void **unused)
{
	uint64_t solved[8], node[5];
	bool chord[8] = { 0 };
	struct cofl_graph g;

	(void)unused;
	/* Two full counters lead to one edge. */
	graph_of(&g, 4, (const struct arc[]){
		{ 1, 2, 1 }, { 1, 3, 1 }, { 2, 4, 1 }, { 3, 4, 1 },
		{ 4, COFL_OUTSIDE, 1 }, { 0 } });
	chord[1] = chord[2] = true;
	solved[1] = solved[2] = UINT64_MAX - 1;
	cofl_graph_solve(&g, chord, solved);
	assert_int_equal(solved[5], UINT64_MAX);
	assert_int_equal(solved[0], UINT64_MAX);
	cofl_graph_nodes(&g, solved, node);
	assert_int_equal(node[4], UINT64_MAX);
	cofl_graph_free(&g);
}

static void another_shape_has_another_hash(void **unused)
{
	struct cofl_graph a, b, c;

	(void)unused;
	graph_of(&a, 2, (const struct arc[]){ { 1, 2, 5 }, { 0 } });
	/* a share is a guess, not the shape */
	graph_of(&b, 2, (const struct arc[]){ { 1, 2, 9 }, { 0 } });
	graph_of(&c, 2, (const struct arc[]){ { 2, 1, 5 }, { 0 } });
	assert_int_equal(a.hash, b.hash);
	assert_int_not_equal(a.hash, c.hash);
	cofl_graph_free(&a);
	cofl_graph_free(&b);
	cofl_graph_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_count_follows_from_the_chords),
		cmocka_unit_test(there_are_no_more_counters_than_needed),
		cmocka_unit_test(inner_loops_are_counted_where_they_run_least),
		cmocka_unit_test(a_loop_with_two_entries_is_no_trouble),
		cmocka_unit_test(a_loop_without_end_has_counts_but_no_exit),
		cmocka_unit_test(
			counts_that_contradict_each_other_are_not_negative),
		cmocka_unit_test(sums_do_not_wrap),
		cmocka_unit_test(another_shape_has_another_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
