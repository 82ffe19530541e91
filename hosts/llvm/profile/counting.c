/*
 * counting.c - owners, and the place in the threads' blocks
 */
#include "profile/counting.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "link/process_words.h"
#include "profile/counter_shards.h"
#include "support/xcalloc.h"

struct cofl_counting *cofl_counting_new(struct cofl_method *m,
					struct cofl_graph *graph,
					const struct cofl_outline *outline,
					uint8_t *kind,
					struct cofl_counters *counters,
					uint32_t offset)
{
	struct cofl_counting *c = cofl_xcalloc(1, sizeof(*c));

	*c = (struct cofl_counting){
		.method = m, .graph = *graph, .outline = *outline,
		.kind = kind, .counters = *counters, .offset = offset,
	};
	*graph = (struct cofl_graph){ 0 };
	*counters = (struct cofl_counters){ 0 };
	return c;
}

void cofl_counting_free(struct cofl_counting *c)
{
	if (c == NULL)
		return;
	cofl_counter_shards_free(c->offset, c->counters.bytes);
	cofl_counters_free(&c->counters);
	cofl_graph_free(&c->graph);
	free(c->kind);
	free(c);
}

void cofl_counting_attach(struct cofl_counting *c, struct cofl_version *version)
{
	version->counting = c;
	/* Without a counter in it the code has no such words. */
	if (version->words == NULL)
		return;
	version->words->counters_word = cofl_counter_shards_word();
	version->words->counters_offset = c->offset;
	version->words->top_miss = cofl_profile_top_miss;
}

void cofl_counting_begin(struct cofl_counting *c, struct cofl_version *version)
{
	struct cofl_method *m = c->method;

	cofl_counting_attach(c, version);
	c->since_ns = cof_clock_ns();
	pthread_mutex_lock(&m->host->profile_lock);
	m->counting = c;
	pthread_mutex_unlock(&m->host->profile_lock);
}

void cofl_counting_end(struct cofl_version *version)
{
	struct cofl_counting *c = version->counting;
	bool shared;

	if (c == NULL)
		return;
	version->counting = NULL;
	pthread_mutex_lock(&c->method->host->profile_lock);
	shared = c->shares > 0;
	if (shared)
		c->shares--;
	else if (c->method->counting == c)
		c->method->counting = NULL;
	pthread_mutex_unlock(&c->method->host->profile_lock);
	if (!shared)
		cofl_counting_free(c);
}

struct cofl_counting *cofl_counting_share(struct cofl_method *m)
{
	struct cofl_counting *c;

	pthread_mutex_lock(&m->host->profile_lock);
	c = m->counting;
	if (c != NULL)
		c->shares++;
	pthread_mutex_unlock(&m->host->profile_lock);
	return c;
}

void cofl_counting_unshare(struct cofl_counting *c)
{
	struct cofl_version version = { .counting = c };

	cofl_counting_end(&version);
}
