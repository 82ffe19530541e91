/*
 * method.c - the methods that libcof knows, and why some stay as they are
 */
#include "method/method.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mono/jit/jit.h>
#include <mono/metadata/appdomain.h>
#include <mono/metadata/debug-helpers.h>

#include "vm/method_flags.h"
#include "method/calls.h"
#include "vm/jit_record.h"
#include "method/shared.h"

/* By enum cofm_declined. */
static const struct cof_reason reason[COFM_DECLINED_COUNT] = {
	[COFM_ACCEPTED] = { "ACCEPTED", "compiled again, or would be" },
	[COFM_WRAPPER] = { "WRAPPER", "a wrapper of Mono's, without IL" },
	[COFM_SHARED] = { "SHARED",
		"shared by instances none of which is known" },
	[COFM_SHORT] = { "SHORT", "shorter than a jump" },
	[COFM_LOOP] = { "LOOP", "a branch back to its first instructions" },
	[COFM_FAR] = { "FAR", "no room for a jump in reach of its code" },
	[COFM_FAILED] = { "FAILED", "Mono would not compile it again" },
	[COFM_EARLY] = { "EARLY", "a class it needs is not initialized yet" },
	[COFM_EMITTED] = { "EMITTED", "of an assembly made at run time" },
};

/*
 * The holder of `table` only loads and stores. The holder of `adding` never
 * waits for Mono. So any thread may wait for either; `adding` first.
 */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;	/* not_live */
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;	/* bucket */

static struct cofm_method **bucket_of(struct cofm *host, const MonoMethod *mono)
{
	return &host->bucket[((uintptr_t)mono >> 4) % COFM_BUCKETS];
}

static void link_method(struct cofm_method *m)
{
	struct cofm_method **at = bucket_of(m->host, m->mono);

	pthread_mutex_lock(&table);
	m->next = *at;
	*at = m;
	pthread_mutex_unlock(&table);
}

struct cofm_method *cofm_method_find(struct cofm *host,
				     const struct cofm_domain *domain,
				     MonoMethod *mono)
{
	struct cofm_method *m;

	pthread_mutex_lock(&table);
	m = *bucket_of(host, mono);
	while (m && (m->mono != mono || m->domain != domain))
		m = m->next;
	pthread_mutex_unlock(&table);
	return m;
}

/* Is it of an assembly made at run time? To resolve a token of such a method
 * Mono runs managed code, on the calling thread. */
static bool is_emitted(MonoMethod *mono)
{
	return mono_image_is_dynamic(
		mono_class_get_image(mono_method_get_class(mono)));
}

/* Inside cofm_attach_enter(). */
static void look_at(struct cofm_method *m)
{
	if (cofm_method_is_wrapper(m->mono))
		atomic_init(&m->declined, COFM_WRAPPER);
	else if (is_emitted(m->mono))
		atomic_init(&m->declined, COFM_EMITTED);
	else if ((m->instance = cofm_shared_instance(m->mono)) == NULL)
		atomic_init(&m->declined, COFM_SHARED);
	else
		cofm_calls_read(m);
}

struct cofm_method *cofm_method_new(struct cofm *host,
				    struct cofm_domain *domain,
				    MonoMethod *mono, MonoJitInfo *info)
{
	struct cofm_method *m = calloc(1, sizeof(*m));
	MonoDomain *before;

	if (!m)
		return NULL;
	m->host = host;
	atomic_init(&m->domain, domain);
	m->mono = mono;
	m->start = mono_jit_info_get_code_start(info);
	m->size = (uint32_t)mono_jit_info_get_code_size(info);
	m->from_image = cofm_jit_record_is_in_image(info);
	m->name = mono_method_full_name(mono, 1);
	before = cofm_domains_go(domain);
	look_at(m);
	cofm_domains_back(before);
	return m;
}

/* -- Lives ----------------------------------------------------------------- */

struct cofm_version *cofm_method_first(struct cofm_domain *domain)
{
	struct cofm_version *v;

	if (domain->mono == mono_get_root_domain())
		return NULL;	/* it is never unloaded */
	v = calloc(1, sizeof(*v));
	if (!v)
		return NULL;
	v->domain = domain;
	v->is_monos = true;
	cofm_domain_use(domain);
	return v;
}

void cofm_method_first_gone(struct cofm_version *v)
{
	if (v)
		cofm_domain_unuse(v->domain);
	free(v);
}

static void free_method(struct cofm_method *m)
{
	mono_free(m->name);
	free(m->call);
	free(m);
}

/* Under `adding`. A method that was not live, of this name and IL; NULL: there
 * is none. */
static struct cofm_method *take_not_live(const struct cofm_method *m)
{
	struct cofm_method **at = &m->host->not_live, *old;

	while ((old = *at) != NULL &&
	       (old->shape != m->shape ||
		strcmp(cof_method_name(old->method), m->name) != 0))
		at = &old->next;
	if (old)
		*at = old->next;
	return old;
}

/* Under `adding`: m as the next life of `old`. What it was inlined into and
 * what trials said of that stays known; its entries are not counted any
 * more. */
static void relive(struct cofm_method *old, struct cofm_method *m)
{
	old->mono = m->mono;
	old->instance = m->instance;
	old->start = m->start;
	old->size = m->size;
	old->from_image = m->from_image;
	atomic_store(&old->declined, atomic_load(&m->declined));
	atomic_store(&old->too_early, false);
	atomic_store(&old->points, NULL);
	atomic_store(&old->redirected, false);
	old->copy = NULL;
	old->call = m->call;
	old->n_calls = m->n_calls;
	old->has_calls = m->has_calls;
	m->call = NULL;
	atomic_store_explicit(&old->domain, atomic_load(&m->domain),
			      memory_order_release);
}

/* Under `adding`. NULL: no memory, or the method is there already; m is freed
 * then. */
static struct cofm_method *add_new(struct cofm_method *m)
{
	struct cofm_method *old = take_not_live(m);

	if (old) {
		relive(old, m);
		free_method(m);
		return old;
	}
	if (cof_method_add(m->host->cof, m->name, m, &m->method) != 0) {
		free_method(m);
		return NULL;
	}
	mono_free(m->name);
	m->name = NULL;
	return m;
}

bool cofm_method_add(struct cofm_method *m)
{
	struct cof_version_desc desc = {
		.size = sizeof(desc), .start = m->start,
		.size_bytes = m->size, .plan = COF_PLAN_NONE,
	};
	struct cofm_domain *domain = m->domain;
	bool is_new;

	pthread_mutex_lock(&adding);
	is_new = m->name && !cofm_method_find(m->host, domain, m->mono);
	if (!is_new)
		free_method(m);
	else
		m = add_new(m);
	if (is_new && m)
		link_method(m);
	pthread_mutex_unlock(&adding);
	if (!is_new || !m)
		return false;
	cof_method_declined(m->method, atomic_load(&m->declined));
	desc.data = cofm_method_first(domain);
	if (cof_version_add(m->method, &desc) != 0)
		cofm_method_first_gone(desc.data);
	return true;
}

/* Under `adding`. */
static void drop(struct cofm_method *m)
{
	atomic_store(&m->domain, NULL);
	m->mono = m->instance = NULL;
	atomic_fetch_add(&m->lives, 1);
	free(m->call);
	m->call = NULL;
	m->n_calls = 0;
	m->next = m->host->not_live;
	m->host->not_live = m;
}

/* The methods of a domain, linked by ->next, and out of their buckets. */
static struct cofm_method *take_all(struct cofm *host,
				    const struct cofm_domain *domain)
{
	struct cofm_method *all = NULL;

	pthread_mutex_lock(&table);
	for (uint32_t i = 0; i < COFM_BUCKETS; i++)
		for (struct cofm_method **at = &host->bucket[i], *m;
		     (m = *at) != NULL;) {
			if (m->domain != domain) {
				at = &m->next;
				continue;
			}
			*at = m->next;
			m->next = all;
			all = m;
		}
	pthread_mutex_unlock(&table);
	return all;
}

/* If libcof cannot let go of a method, the domain's code stays. */
void cofm_method_unload(struct cofm *host, struct cofm_domain *domain)
{
	struct cofm_method *m, *next;

	for (m = take_all(host, domain); m; m = next) {
		next = m->next;
		cof_method_unload(m->method);
		pthread_mutex_lock(&adding);
		drop(m);
		pthread_mutex_unlock(&adding);
	}
}

/* -------------------------------------------------------------------------- */

void cofm_method_decline(struct cofm_method *m, enum cofm_declined why)
{
	atomic_store_explicit(&m->declined, (uint32_t)why,
			      memory_order_relaxed);
	cof_method_declined(m->method, (unsigned)why);
}

/* libcof counts a host's reasons from 1, and ACCEPTED is none. */
const struct cof_reason *cofm_method_reasons(size_t *n)
{
	*n = COFM_DECLINED_COUNT - 1;
	return reason + 1;
}

bool cofm_method_is_declined(const struct cofm_method *m)
{
	return atomic_load_explicit(&((struct cofm_method *)m)->declined,
				    memory_order_relaxed) != COFM_ACCEPTED;
}

static enum cofm_declined why_not(struct cofm_method *m)
{
	enum cofm_declined why = (enum cofm_declined)atomic_load_explicit(
		&m->declined, memory_order_relaxed);

	if (why == COFM_ACCEPTED && !m->redirected &&
	    atomic_load_explicit(&m->too_early, memory_order_relaxed))
		return COFM_EARLY;
	return why;
}

static void report_samples(struct cofm *host, uint64_t samples,
			   const char *where)
{
	char line[160];

	if (samples == 0)
		return;
	snprintf(line, sizeof(line), "mono: %" PRIu64 " samples: %s", samples,
		 where);
	cof_log_line(host->cof, line);
}

static void add_up(struct cofm_method *m, uint32_t *methods, uint64_t *samples)
{
	for (; m; m = m->next) {
		enum cofm_declined why = why_not(m);

		methods[why]++;
		samples[why] += cof_method_samples(m->method);
	}
}

void cofm_method_report_declined(struct cofm *host)
{
	uint64_t samples[COFM_DECLINED_COUNT] = { 0 };
	uint32_t methods[COFM_DECLINED_COUNT] = { 0 };
	char line[160];

	pthread_mutex_lock(&table);
	for (uint32_t i = 0; i < COFM_BUCKETS; i++)
		add_up(host->bucket[i], methods, samples);
	pthread_mutex_unlock(&table);
	pthread_mutex_lock(&adding);
	add_up(host->not_live, methods, samples);
	pthread_mutex_unlock(&adding);
	for (uint32_t i = 0; i < COFM_DECLINED_COUNT; i++) {
		if (methods[i] == 0)
			continue;
		snprintf(line, sizeof(line), "mono: %u methods, %" PRIu64
			 " samples: %s", methods[i], samples[i],
			 reason[i].text);
		cof_log_line(host->cof, line);
	}
	report_samples(host, atomic_load(&host->dynamic), "in "
		       "methods made at run time; Mono frees them by itself");
	report_samples(host, atomic_load(&host->foreign),
		       "in trampolines and other code that is in no method");
}
