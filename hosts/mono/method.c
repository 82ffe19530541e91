/*
 * method.c - known methods, and why some stay as they are
 */
#include "method.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const reason[COFM_DECLINED_COUNT] = {
	[COFM_ACCEPTED] = "compiled again, or would be",
	[COFM_WRAPPER] = "a wrapper of Mono's, without IL",
	[COFM_DYNAMIC] = "made at run time; Mono frees it by itself",
	[COFM_SHORT] = "shorter than a jump",
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
}
