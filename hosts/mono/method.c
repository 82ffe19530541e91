/*
 * method.c - known methods, and why some stay as they are
 */
#include "method.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const reason[COFM_DECLINED_COUNT] = {
	[COFM_ACCEPTED] = "compiled again, or would be",
	[COFM_WRAPPER] = "a wrapper of Mono's, without IL",
	[COFM_SHARED] = "shared by instances none of which is known",
	[COFM_SHORT] = "shorter than a jump",
	[COFM_LOOP] = "a branch back to its first instructions",
	[COFM_FAR] = "no room for a jump in reach of its code",
	[COFM_FAILED] = "Mono would not compile it again",
};

static _Atomic(struct cofm_method *) *bucket_of(struct cofm *host,
						MonoMethod *mono)
{
	return &host->bucket[((uintptr_t)mono >> 4) % COFM_BUCKETS];
}

/* A release, for cofm_method_find(). */
static void link_method(struct cofm_method *m)
{
	_Atomic(struct cofm_method *) *at = bucket_of(m->host, m->mono);

	m->next = atomic_load_explicit(at, memory_order_relaxed);
	atomic_store_explicit(at, m, memory_order_release);
}

bool cofm_method_add(struct cofm_method *m, const char *name)
{
	struct cof_version_desc desc = {
		.size = sizeof(desc), .start = m->start,
		.size_bytes = m->size, .plan = COF_PLAN_NONE,
	};

	if (cof_method_add(m->host->cof, name, m, &m->method) != 0)
		return false;
	link_method(m);
	cof_version_add(m->method, &desc);
	return true;
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

bool cofm_is_declined(const struct cofm_method *m)
{
	return atomic_load_explicit(&((struct cofm_method *)m)->declined,
				    memory_order_relaxed) != COFM_ACCEPTED;
}

static void report_samples(struct cofm *host, uint64_t samples,
			   const char *where)
{
	char line[160];

	if (samples == 0)
		return;
	snprintf(line, sizeof(line), "mono: %" PRIu64 " samples: %s", samples,
		 where);
	cof_say(host->cof, line);
}

void cofm_declined_report(struct cofm *host)
{
	uint64_t samples[COFM_DECLINED_COUNT] = { 0 };
	uint32_t methods[COFM_DECLINED_COUNT] = { 0 };
	char line[160];

	for (uint32_t i = 0; i < COFM_BUCKETS; i++) {
		struct cofm_method *m = atomic_load_explicit(
			&host->bucket[i], memory_order_acquire);

		for (; m; m = m->next) {
			uint32_t why = atomic_load_explicit(
				&m->declined, memory_order_relaxed);

			methods[why]++;
			samples[why] += cof_method_samples(m->method);
		}
	}
	for (uint32_t i = 0; i < COFM_DECLINED_COUNT; i++) {
		if (methods[i] == 0)
			continue;
		snprintf(line, sizeof(line), "mono: %u methods, %" PRIu64
			 " samples: %s", methods[i], samples[i], reason[i]);
		cof_say(host->cof, line);
	}
	report_samples(host, atomic_load(&host->dynamic), "in "
		       "methods made at run time; Mono frees them by itself");
	report_samples(host, atomic_load(&host->foreign),
		       "in trampolines and in code of other domains");
}
