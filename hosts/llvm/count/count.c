/*
 * count.c - see count.h
 */
#include "count/count.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "compile/build.h"
#include "compile/profile_restore.h"
#include "count/insert.h"
#include "ir/copy.h"
#include "points/osr_mark.h"
#include "points/osr_point.h"
#include "profile/counter_shards.h"
#include "support/recover.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

/*
 * What an instrumented version counts. The version owns it. The method points
 * to the latest one, under host->profile_lock.
 */
struct cofl_counting {
	struct cofl_method  *method;
	struct cofl_graph    graph;
	struct cofl_outline  outline;
	uint8_t             *kind;
	struct cofl_counters counters;
	uint32_t             offset;
	uint64_t             since_ns;

	/* [profile_lock] */
	uint64_t             asked_ns;	/* when libcof last asked how much was
					 * counted; 0: not yet */
	uint32_t             shares;	/* other versions with these counters */
};

/* -- Building -------------------------------------------------------------- */

/* NULL: all counters are in use. */
static struct cofl_counting *counting_new(struct cofl_method *m,
					  const struct cofl_body *body)
{
	struct cofl_counting *c = cofl_xcalloc(1, sizeof(*c));

	c->method = m;
	c->outline = body->outline;
	cofl_counters_init(&c->counters, body);
	if (!cofl_counter_shards_alloc(c->counters.bytes, &c->offset)) {
		cofl_counters_free(&c->counters);
		free(c);
		return NULL;
	}
	return c;
}

static void counting_free(struct cofl_counting *c)
{
	if (c == NULL)
		return;
	cofl_counter_shards_free(c->offset, c->counters.bytes);
	cofl_counters_free(&c->counters);
	cofl_graph_free(&c->graph);
	free(c->kind);
	free(c);
}

/*
 * In a large body counting keeps much alive in many blocks, and good register
 * allocation takes longer than all of the build with the profile: for SQLite's
 * interpreter, of 11,600 instructions, 1.8 s; without, 0.15 s. The code then
 * counts for a second or so at half the speed.
 */
static enum cofl_level level_of(const struct cofl_method *m)
{
	return atomic_load_explicit(&m->n_instructions, memory_order_relaxed) >
	       COFL_TUNE(instrument_fast) ? COFL_FAST : COFL_DEFAULT;
}

static int compile(struct cofl_ir *ir, LLVMModuleRef module, const char *name,
		   bool with_sites, const int *stop,
		   struct cof_version_desc *out, char *why, size_t why_bytes)
{
	int err = 0;

	/* The file's compiler optimized the body; cof.seen is to be inlined. */
	if (with_sites)
		err = cofl_build_passes(ir->copy, COFL_DEFAULT, "always-inline",
					module, why, why_bytes);
	if (err == 0)
		err = cofl_build_stopped(stop, why, why_bytes);
	if (err != 0)
		return err;
	return cofl_build_module(ir->method->host, ir->copy,
				 level_of(ir->method), module, name,
				 COF_PLAN_NONE, out, why, why_bytes);
}

int cofl_count_build(struct cofl_ir *ir, const int *stop,
		     struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct cofl_method *m = ir->method;
	struct cofl_counting *c = NULL;
	struct cofl_body body = { 0 };
	struct cofl_clone unit;
	LLVMValueRef f = cofl_build_body(m, ir->copy, why, why_bytes), to;
	int err = -COF_E_INVAL;
	char name[512];

	if (f == NULL || !cofl_insert_can(f, why, why_bytes))
		return err;
	/* Under another name, so that a call of itself is a call site. */
	snprintf(name, sizeof(name), "%.500s.count", m->name);
	cofl_clone_init(&unit, ir->copy, m->name);
	cofl_profile_restore_adopt(m, ir->copy);
	cofl_osr_mark_prepare(&unit, f, true);
	to = cofl_clone_function(&unit, f, name, LLVMExternalLinkage);
	cofl_build_hazards(m->host, &unit);
	if (to == NULL) {
		snprintf(why, why_bytes, "%s", unit.why);
		goto out;
	}
	cofl_body_read(&body, to);
	c = counting_new(m, &body);
	if (c == NULL) {
		snprintf(why, why_bytes, "too much is counted already");
		goto out;
	}
	cofl_insert(&unit, to, &body, &c->counters, c->offset);
	cofl_osr_point_finish(&unit);
	err = compile(ir, unit.module, name, body.outline.n_sites != 0, stop,
		      out, why, why_bytes);
	if (err != 0) {
		counting_free(c);
		goto out;
	}
	cofl_osr_point_attach(&unit, out);
	c->graph = body.graph;
	c->kind = body.kind;
	body.graph = (struct cofl_graph){ 0 };
	body.kind = NULL;
	c->since_ns = cof_clock_ns();
	((struct cofl_version *)out->data)->counting = c;
	pthread_mutex_lock(&m->host->profile_lock);
	m->counting = c;
	pthread_mutex_unlock(&m->host->profile_lock);
out:
	cofl_body_free(&body);
	cofl_clone_dispose(&unit);
	return err;
}

void cofl_count_end(struct cofl_version *version)
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
		counting_free(c);
}

struct cofl_counting *cofl_count_share(struct cofl_method *m)
{
	struct cofl_counting *c;

	pthread_mutex_lock(&m->host->profile_lock);
	c = m->counting;
	if (c != NULL)
		c->shares++;
	pthread_mutex_unlock(&m->host->profile_lock);
	return c;
}

void cofl_count_unshare(struct cofl_counting *c)
{
	struct cofl_version version = { .counting = c };

	cofl_count_end(&version);
}

void cofl_count_insert(struct cofl_counting *c, struct cofl_clone *unit,
		       LLVMValueRef f, const struct cofl_body *body)
{
	cofl_insert(unit, f, body, &c->counters, c->offset);
}

/* -- Collecting ------------------------------------------------------------ */

struct summing {
	const struct cofl_counting *counting;
	uint64_t                   *edge;
	struct cofl_top            *site;
	uint64_t                    total;	/* of all counters */
};

/* Threads may be counting. Each word is read whole, at its own moment. */
static uint64_t read_word(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static void add_counters(void *arg, const void *range)
{
	struct summing *s = arg;
	const struct cofl_counters *c = &s->counting->counters;
	const uint64_t *word = range;

	for (uint32_t e = 0; s->edge && e < s->counting->graph.n_edges; e++)
		if (c->chord[e])
			s->edge[e] += read_word(&word[c->number[e]]);
	for (uint32_t i = 0; i < c->n; i++)
		s->total += read_word(&word[i]);
}

static void add_sites(void *arg, const void *range)
{
	struct summing *s = arg;
	const struct cofl_top *top = (const void *)
		((const char *)range + s->counting->counters.sites);

	for (uint32_t i = 0; i < s->counting->outline.n_sites; i++) {
		struct cofl_top now;

		for (uint32_t k = 0; k < COFL_TOP; k++) {
			now.seen[k].value = read_word(&top[i].seen[k].value);
			now.seen[k].count = read_word(&top[i].seen[k].count);
		}
		cofl_profile_top_merge(&s->site[i], &now);
	}
}

/* Each path through the method, and each round of a loop, passes a chord. So
 * this is at least entries plus iterations. */
uint64_t cofl_count_counted(struct cofl_method *m)
{
	struct summing s = { 0 };

	pthread_mutex_lock(&m->host->profile_lock);
	s.counting = m->counting;
	if (s.counting != NULL) {
		m->counting->asked_ns = cof_clock_ns();
		cofl_counter_shards_each(s.counting->offset, add_counters, &s);
	}
	pthread_mutex_unlock(&m->host->profile_lock);
	return s.total;
}

/* Under the profile lock. What a slot of a vtable held once may be counted when
 * it holds something else. */
static void name_stubs(struct cofl *host)
{
	uint32_t led = atomic_load_explicit(&host->led_in_vtables,
					    memory_order_acquire);

	if (host->stubs.used != 0 && host->stubs_at == led)
		return;
	host->stubs_at = led;
	for (uint32_t i = 0; i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];
		uintptr_t in_vtables = atomic_load_explicit(
			&m->in_vtables, memory_order_relaxed);

		cofl_map_put(&host->stubs, (void *)m->address, m);
		if (in_vtables != 0)
			cofl_map_put(&host->stubs, (void *)in_vtables, m);
	}
}

/* From addresses to methods' numbers; any other is not the program's. */
static void name_targets(struct cofl *host, struct cofl_top *top)
{
	struct cofl_top named = { 0 };

	name_stubs(host);
	for (uint32_t k = 0; k < COFL_TOP; k++) {
		const struct cofl_method *m = cofl_map_get(
			&host->stubs, (void *)(uintptr_t)top->seen[k].value);
		struct cofl_top one = { 0 };

		if (top->seen[k].count == 0)
			continue;
		one.seen[0].value = m ? m->number : COFL_NO_METHOD;
		one.seen[0].count = top->seen[k].count;
		cofl_profile_top_merge(&named, &one);
	}
	*top = named;
}

/*
 * Under the profile lock: the profile of what was counted until then, with the
 * method's older one. NULL: no version counts, or it counted less than `least`.
 */
static struct cofl_profile *sum_up(struct cofl_method *m, uint64_t least,
				   uint64_t until_ns)
{
	const struct cofl_counting *c = m->counting;
	struct summing s = { .counting = c };
	struct cofl_profile *p;

	if (c == NULL)
		return NULL;
	p = cofl_profile_new(&c->outline, c->kind);
	s.edge = p->edge;
	s.site = p->site;
	cofl_counter_shards_each(c->offset, add_counters, &s);
	cofl_counter_shards_each(c->offset, add_sites, &s);
	if (s.total < least) {
		cofl_profile_free(p);
		return NULL;
	}
	cofl_graph_solve(&c->graph, c->counters.chord, p->edge);
	for (uint32_t i = 0; i < p->outline.n_sites; i++)
		if (p->kind[i] == COFL_SITE_CALL)
			name_targets(m->host, &p->site[i]);
	p->ns = until_ns - c->since_ns;
	if (m->profile != NULL && m->profile->outline.hash == p->outline.hash)
		cofl_profile_age(p, m->profile);
	return p;
}

/* Once the version is full, libcof asks no more and the version does not run.
 * It may wait for its build for seconds, in which it counts nothing. */
static uint64_t end_of(const struct cofl_counting *c)
{
	return c != NULL && c->asked_ns != 0 ? c->asked_ns : cof_clock_ns();
}

/* Without memory for the profile it stays as if nothing had been counted. */
struct collecting {
	struct cofl_method *method;
	void               *bytes;
	size_t              room, n;
	bool                done;
};

static void collect(void *arg)
{
	struct collecting *c = arg;
	struct cofl_method *m = c->method;
	struct cofl_profile *p = sum_up(m, 1, end_of(m->counting));

	if (p == NULL)
		return;
	cofl_profile_restore_set(m, p);
	m->counting = NULL;
	c->done = true;
}

int cofl_count_collect(struct cofl_method *m)
{
	struct collecting c = { .method = m };
	char why[64];

	cofl_recover_locked(&m->host->profile_lock, collect, &c, why,
			    sizeof(why));
	return c.done ? 0 : -COF_E_STATE;
}

static void save(void *arg)
{
	struct collecting *c = arg;
	struct cofl_profile *p = sum_up(c->method,
					COFL_TUNE(profile_counts_least),
					cof_clock_ns());

	if (p == NULL)
		return;
	c->n = cofl_profile_save(p, c->bytes, c->room);
	cofl_profile_free(p);
}

size_t cofl_count_save(struct cofl_method *m, void *bytes, size_t room)
{
	struct collecting c = { .method = m, .bytes = bytes, .room = room };
	char why[64];

	cofl_recover_locked(&m->host->profile_lock, save, &c, why,
			    sizeof(why));
	return c.n;
}
