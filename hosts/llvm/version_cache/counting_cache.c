/*
 * counting_cache.c - see counting_cache.h
 */
#include "version_cache/counting_cache.h"

#include <stdlib.h>
#include <string.h>

#include "link/loader.h"
#include "link/osr_points.h"
#include "profile/counter_shards.h"
#include "support/recover.h"
#include "support/xcalloc.h"
#include "version_cache/version_cache_host.h"

struct counted {
	uint64_t hash;		/* of the outline */
	uint32_t n_nodes, n_edges, n_sites, blank;
};

struct ends {
	uint32_t from, to;
};

static size_t bytes_of(const struct counted *w)
{
	return sizeof(*w) + w->n_edges * (sizeof(struct ends) + sizeof(bool)) +
	       w->n_sites;
}

/* -- Put ------------------------------------------------------------------- */

static void *save(const struct cofl_counting *c, size_t *bytes)
{
	const struct counted w = {
		.hash = c->outline.hash, .n_nodes = c->graph.n_nodes,
		.n_edges = c->graph.n_edges, .n_sites = c->outline.n_sites,
	};
	struct counted *head = cofl_xcalloc(1, bytes_of(&w));
	struct ends *end = (void *)(head + 1);
	bool *chord = (void *)(end + w.n_edges);

	*head = w;
	for (uint32_t e = 0; e < w.n_edges; e++)
		end[e] = (struct ends){ c->graph.edge[e].from,
					c->graph.edge[e].to };
	memcpy(chord, c->counters.chord, w.n_edges * sizeof(*chord));
	if (w.n_sites != 0)
		memcpy(chord + w.n_edges, c->kind, w.n_sites);
	*bytes = bytes_of(&w);
	return head;
}

void cofl_counting_cache_put(const struct cofl_counting *c,
			     const struct cof_version_desc *desc,
			     const void *object, size_t object_bytes,
			     bool moves_stack)
{
	const struct cofl_version *version = desc->data;
	size_t bytes;
	void *what = save(c, &bytes);

	cofl_version_cache_host_put(c->method, desc, &(struct cofl_built){
		.kind = COFL_VERSION_CACHE_COUNTING,
		.n_loops = version->points ? version->points->n_loops : 0,
		.profile = what, .profile_bytes = bytes, .object = object,
		.object_bytes = object_bytes, .moves_stack = moves_stack,
	});
	free(what);
}

/* -- Take ------------------------------------------------------------------ */

/* The record has a hash, so what it says is what was put. */
static struct cofl_counting *restore(struct cofl_method *m, const void *what,
				     size_t bytes)
{
	const struct counted *w = what;
	const struct ends *end = (const void *)(w + 1);
	struct cofl_graph graph = { 0 };
	struct cofl_counters counters = { 0 };
	struct cofl_outline outline;
	const bool *chord;
	uint32_t offset;
	uint8_t *kind;

	if (bytes < sizeof(*w) || bytes != bytes_of(w) || w->n_nodes == 0)
		return NULL;
	chord = (const void *)(end + w->n_edges);
	outline = (struct cofl_outline){
		.hash = w->hash, .n_edges = w->n_edges, .n_sites = w->n_sites,
	};
	cofl_graph_init(&graph, w->n_nodes - 1);
	for (uint32_t e = 1; e < w->n_edges; e++)
		cofl_graph_add(&graph, end[e].from, end[e].to, 0);
	cofl_graph_seal(&graph);
	counters.chord = cofl_xcalloc(w->n_edges, sizeof(*chord));
	memcpy(counters.chord, chord, w->n_edges * sizeof(*chord));
	cofl_counters_lay_out(&counters, w->n_edges, w->n_sites);
	kind = cofl_xcalloc(w->n_sites, 1);
	if (w->n_sites != 0)
		memcpy(kind, chord + w->n_edges, w->n_sites);
	if (cofl_counter_shards_alloc(counters.bytes, &offset))
		return cofl_counting_new(m, &graph, &outline, kind, &counters,
					 offset);
	cofl_graph_free(&graph);
	cofl_counters_free(&counters);
	free(kind);
	return NULL;
}

/* Without its points no frame could leave a loop of it. */
static bool add_points(struct cof_version_desc *desc, uint32_t n_loops)
{
	struct cofl_osr_points *points;

	if (n_loops == 0)
		return true;
	points = cofl_osr_points_new(n_loops, NULL);
	if (points != NULL && cofl_loader_add_points(desc, points))
		return true;
	cofl_osr_points_free(points);
	return false;
}

struct taking {
	struct cofl_method      *method;
	struct cof_version_desc *desc;
	const void              *what;
	size_t                   bytes;
	uint32_t                 n_loops;
	struct cofl_counting    *counting;	/* NULL: it cannot be */
};

/* Without memory what was allocated is lost. */
static void take_job(void *arg)
{
	struct taking *t = arg;

	if (add_points(t->desc, t->n_loops))
		t->counting = restore(t->method, t->what, t->bytes);
}

int cofl_counting_cache_take(void *ctx, void *method,
			     struct cof_version_desc *out)
{
	struct cofl *host = ctx;
	struct cofl_method *m = method;
	struct taking t = { .method = m, .desc = out };
	char name[COFL_COUNTING_NAME_BYTES], why[64];
	void *what;
	int err;

	cofl_counting_name(name, m->name);
	err = cofl_version_cache_host_counting(m, name, out, &what, &t.bytes,
					       &t.n_loops);
	if (err != 0)
		return err;
	t.what = what;
	cofl_recover(take_job, &t, why, sizeof(why));
	free(what);
	if (t.counting != NULL) {
		cofl_counting_begin(t.counting, out->data);
		return 0;
	}
	cofl_loader_unload(host, out->data);
	cof_code_free(host->cof, &out->block);
	return 1;
}
