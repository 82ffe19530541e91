/*
 * method.c - the methods that libcof knows, and why some stay as they are
 */
#include "method/method.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <mono/jit/jit.h>
#include <mono/metadata/debug-helpers.h>

#include "vm/method_flags.h"
#include "method/calls.h"
#include "vm/internals.h"
#include "vm/jit_record.h"
#include "method/shared.h"

static const char *const reason[COFM_DECLINED_COUNT] = {
	[COFM_ACCEPTED] = "compiled again, or would be",
	[COFM_WRAPPER] = "a wrapper of Mono's, without IL",
	[COFM_SHARED] = "shared by instances none of which is known",
	[COFM_SHORT] = "shorter than a jump",
	[COFM_LOOP] = "a branch back to its first instructions",
	[COFM_FAR] = "no room for a jump in reach of its code",
	[COFM_FAILED] = "Mono would not compile it again",
	[COFM_EARLY] = "a class it needs is not initialized yet",
	[COFM_EMITTED] = "of an assembly made at run time",
};

static _Atomic(struct cofm_method *) *bucket_of(struct cofm *host,
						MonoMethod *mono)
{
	return &host->bucket[((uintptr_t)mono >> 4) % COFM_BUCKETS];
}

/* [added] The store is a release; cofm_method_find() acquires. */
static void link_method(struct cofm_method *m)
{
	_Atomic(struct cofm_method *) *at = bucket_of(m->host, m->mono);

	m->next = atomic_load_explicit(at, memory_order_relaxed);
	atomic_store_explicit(at, m, memory_order_release);
}

/* The holder never waits for Mono, so any thread may wait for the lock. */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

/* False: no memory, or another thread has added the method. */
static bool add_new(struct cofm_method *m, const char *name)
{
	bool is_new;

	pthread_mutex_lock(&adding);
	is_new = !cofm_method_find(m->host, m->mono) &&
		 cof_method_add(m->host->cof, name, m, &m->method) == 0;
	if (is_new)
		link_method(m);
	pthread_mutex_unlock(&adding);
	return is_new;
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

struct cofm_method *cofm_method_new(struct cofm *host, MonoMethod *mono,
				    MonoJitInfo *info)
{
	struct cofm_method *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->host = host;
	m->mono = mono;
	m->start = mono_jit_info_get_code_start(info);
	m->size = (uint32_t)mono_jit_info_get_code_size(info);
	m->from_image = cofm_jit_record_is_in_image(info);
	m->name = mono_method_full_name(mono, 1);
	look_at(m);
	return m;
}

bool cofm_method_add(struct cofm_method *m)
{
	struct cof_version_desc desc = {
		.size = sizeof(desc), .start = m->start,
		.size_bytes = m->size, .plan = COF_PLAN_NONE,
	};
	bool is_new = m->name && add_new(m, m->name);

	mono_free(m->name);
	m->name = NULL;
	if (is_new) {
		cof_version_add(m->method, &desc);
	} else {
		free(m->call);
		free(m);
	}
	return is_new;
}

struct cofm_method *cofm_method_find(struct cofm *host, MonoMethod *mono)
{
	struct cofm_method *m = atomic_load_explicit(bucket_of(host, mono),
						     memory_order_acquire);

	while (m && m->mono != mono)
		m = m->next;
	return m;
}

void cofm_method_decline(struct cofm_method *m, enum cofm_declined why)
{
	atomic_store_explicit(&m->declined, (uint32_t)why,
			      memory_order_relaxed);
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

void cofm_method_report_declined(struct cofm *host)
{
	uint64_t samples[COFM_DECLINED_COUNT] = { 0 };
	uint32_t methods[COFM_DECLINED_COUNT] = { 0 };
	char line[160];

	for (uint32_t i = 0; i < COFM_BUCKETS; i++) {
		struct cofm_method *m = atomic_load_explicit(
			&host->bucket[i], memory_order_acquire);

		for (; m; m = m->next) {
			enum cofm_declined why = why_not(m);

			methods[why]++;
			samples[why] += cof_method_samples(m->method);
		}
	}
	for (uint32_t i = 0; i < COFM_DECLINED_COUNT; i++) {
		if (methods[i] == 0)
			continue;
		snprintf(line, sizeof(line), "mono: %u methods, %" PRIu64
			 " samples: %s", methods[i], samples[i], reason[i]);
		cof_log_line(host->cof, line);
	}
	report_samples(host, atomic_load(&host->dynamic), "in "
		       "methods made at run time; Mono frees them by itself");
	report_samples(host, atomic_load(&host->foreign),
		       "in trampolines and in code of other domains");
}
