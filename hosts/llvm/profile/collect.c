/*
 * collect.c - see collect.h
 */
#include "profile/collect.h"

#include <pthread.h>

#include "base/clock.h"
#include "profile/counter_shards.h"
#include "profile/counting.h"
#include "support/recover.h"
#include "support/tuning.h"

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
uint64_t cofl_collect_counted(struct cofl_method *m)
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

void cofl_collect_set_profile(struct cofl_method *m,
			       struct cofl_profile *profile)
{
	cofl_profile_free(m->profile);
	m->profile = profile;
	atomic_store_explicit(&m->has_profile, true, memory_order_release);
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
	cofl_collect_set_profile(m, p);
	m->counting = NULL;
	c->done = true;
}

int cofl_collect_profile(struct cofl_method *m)
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

size_t cofl_collect_save(struct cofl_method *m, void *bytes, size_t room)
{
	struct collecting c = { .method = m, .bytes = bytes, .room = room };
	char why[64];

	cofl_recover_locked(&m->host->profile_lock, save, &c, why,
			    sizeof(why));
	return c.n;
}
