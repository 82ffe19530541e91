/*
 * version_cache_host.c - read the file once, load from it
 */
#include "version_cache/version_cache_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/units.h"
#include "cofl.h"
#include "link/loader.h"
#include "link/osr_points.h"
#include "profile/method_profile.h"
#include "support/tuning.h"
#include "version_cache/cached_profile.h"
#include "version_cache/finish_mark.h"
#include "version_cache/version_cache_state.h"
#include "version_cache/version_cache_write.h"

void cofl_version_cache_host_init(struct cofl *host, const uint8_t *key,
				  uint64_t max_bytes)
{
	struct cofl_version_cache_host *k = calloc(1, sizeof(*k));

	host->version_cache = k;
	if (k == NULL)
		return;		/* without memory there is no cache */
	k->host = host;
	memcpy(k->key, key, sizeof(k->key));
	k->max_bytes = max_bytes;
	pthread_mutex_init(&k->lock, NULL);
	pthread_mutex_init(&k->writing, NULL);
	cofl_verdicts_init(&k->verdicts);
}

/* What was read stays, since methods have pointers into it. */
void cofl_version_cache_host_in_child(struct cofl *host)
{
	const struct cofl_version_cache_host *k = host->version_cache;

	if (k != NULL)
		cofl_version_cache_host_init(host, k->key, k->max_bytes);
}

bool cofl_version_cache_host_none(const struct cofl *host)
{
	return host->version_cache == NULL ||
	       !cofl_version_cache_exists(host->version_cache->key);
}

/* -- Take ------------------------------------------------------------------ */

/* Under the lock. */
static void close_cache(struct cofl_version_cache_host *k)
{
	cofl_version_cache_close(&k->cache);
	if (k->bytes != NULL)
		munmap(k->bytes, k->n_bytes);
	k->bytes = NULL;
	k->was_read = false;
}

static void read_job(void *arg)
{
	struct cofl_version_cache_host *k = arg;
	uint64_t length;

	/* First, so that nothing is missed. */
	k->grows = !k->host->finishes && cofl_finish_mark_is_held(k->key);
	length = cofl_version_cache_length(k->key);
	if (k->was_read && length == k->length)
		return;
	close_cache(k);
	k->length = length;
	k->bytes = cofl_version_cache_read(k->key, &k->n_bytes);
}

/* Under the lock. To read a large file again takes a small part of the time. */
static void read_cache(struct cofl_version_cache_host *k)
{
	uint64_t t0 = cof_clock_ns(), took_ns;

	if (k->was_read && (!k->grows || t0 < k->again_ns))
		return;
	cof_call_with_private_files(k->host->cof, read_job, k);
	if (k->bytes != NULL && k->cache.entry == NULL &&
	    !cofl_version_cache_open(&k->cache, k->bytes, k->n_bytes, k->key))
		close_cache(k);
	k->was_read = true;
	took_ns = cof_clock_ns() - t0;
	k->again_ns = t0 + took_ns * COFL_TUNE(cache_again_part) +
		      COFL_TUNE(cache_again_ms) * COF_MS_NS;
}

/* The version keeps the list as long as it lives. */
static bool list_inlined(struct cofl *host,
			 const struct cofl_version_cache_header *h,
			 struct cof_version_desc *out)
{
	const uint32_t *number = cofl_version_cache_inlined(h);
	struct cofl_version *version = out->data;

	version->inlined = calloc(h->n_inlined + 1u, sizeof(*version->inlined));
	if (version->inlined == NULL)
		return false;
	for (uint32_t i = 0; i < h->n_inlined; i++) {
		if (number[i] >= host->n_methods)
			return false;
		version->inlined[i] = cofl_method_added(
			&host->method[number[i]]);
		if (version->inlined[i] == NULL)
			return false;
	}
	out->inlined = version->inlined;
	out->n_inlined = h->n_inlined;
	return true;
}

/* Under the lock. */
static int load(struct cofl_method *m, const struct cofl_version_cache_entry *e,
		const char *body, struct cof_version_desc *out)
{
	const struct cofl_version_cache_header *h = e->built;
	char why[256], line[512];
	struct cofl_version *version;

	if (cofl_loader_load(m->host, cofl_version_cache_object(h),
			     h->object_bytes, body,
			     h->kind == COFL_VERSION_CACHE_COUNTING ?
				     COF_PLAN_NONE : COF_PLAN_PROFILE,
			     out, why, sizeof(why)) != 0) {
		snprintf(line, sizeof(line), "%s, from the version cache: %s",
			 m->name, why);
		cof_log_line(m->host->cof, line);
		return 1;
	}
	version = out->data;
	if (!list_inlined(m->host, h, out)) {
		cofl_loader_unload(m->host, version);
		cof_code_free(m->host->cof, &out->block);
		return 1;
	}
	version->cached_id = cofl_version_cache_id(h);
	memcpy(version->profile, h->profile, sizeof(version->profile));
	if (e->verdict != NULL) {
		out->unseen =
			(e->verdict->flags & COFL_VERSION_CACHE_UNSEEN) != 0;
		out->proven_permille = e->verdict->permille;
		out->proven_over = (enum cof_plan)e->verdict->over;
		out->progress_permille = e->verdict->progress >> 16;
		out->progress_error = e->verdict->progress & 0xffff;
		version->verdict.flags = e->verdict->flags;
		version->verdict.permille = e->verdict->permille;
		version->verdict.over = e->verdict->over;
		version->verdict.progress = e->verdict->progress;
	}
	if (h->flags & COFL_VERSION_CACHE_MOVES_STACK)
		cof_reclaim_disable(m->host->cof,
				    "the program's inline assembly "
				    "uses the stack pointer");
	return 0;
}

/* The drift between the given profile and the one that `built` is of. 0: they
 * are the same, or a version of the given one was rolled back. Under the
 * lock. */
static unsigned drift_of(const struct cofl_version_cache_host *k,
			 const struct cofl_version_cache_header *built,
			 const void *profile, size_t bytes,
			 const uint8_t hash[COF_HASH_BYTES])
{
	if (memcmp(built->profile, hash, COF_HASH_BYTES) == 0 ||
	    cofl_version_cache_failed(&k->cache, built->method, hash))
		return 0;
	return cofl_profile_drift(cofl_version_cache_profile(built),
				  built->profile_bytes, profile, bytes);
}

/* The method's record of that kind, of the profile whose hash is `of` or else
 * the latest. Under the lock. */
static const struct cofl_version_cache_entry *
find(struct cofl_version_cache_host *k, enum cofl_version_cache_kind kind,
     const struct cofl_method *m, const uint8_t of[COF_HASH_BYTES])
{
	uint8_t name[COF_HASH_BYTES];

	cofl_version_cache_name(m, name);
	read_cache(k);
	return cofl_version_cache_find(&k->cache, kind, m->number, name, of);
}

static bool can_be_replaced(const struct cofl_method *m)
{
	return !m->pinned &&
	       !atomic_load_explicit(&m->keeps_blockaddresses,
				     memory_order_relaxed);
}

int cofl_version_cache_host_counting(struct cofl_method *m, const char *body,
				     struct cof_version_desc *out, void **what,
				     size_t *bytes, uint32_t *n_loops)
{
	static const uint8_t none[COF_HASH_BYTES];
	struct cofl_version_cache_host *k = m->host->version_cache;
	const struct cofl_version_cache_entry *e;
	int err = 1;

	*what = NULL;
	if (k == NULL || !can_be_replaced(m))
		return 1;
	pthread_mutex_lock(&k->lock);
	e = find(k, COFL_VERSION_CACHE_COUNTING, m, none);
	if (e == NULL && k->grows)
		err = -COF_E_STATE;
	if (e != NULL)
		*what = malloc(e->built->profile_bytes);
	if (*what != NULL) {
		*bytes = e->built->profile_bytes;
		*n_loops = e->built->n_loops;
		memcpy(*what, cofl_version_cache_profile(e->built), *bytes);
		err = load(m, e, body, out);
	}
	pthread_mutex_unlock(&k->lock);
	if (err == 0)
		return 0;
	free(*what);
	return err;
}

int cofl_version_cache_host_take(void *ctx, void *method, const void *profile,
				 size_t bytes, struct cof_version_desc *out)
{
	struct cofl *host = ctx;
	struct cofl_version_cache_host *k = host->version_cache;
	struct cofl_method *m = method;
	uint8_t of[COF_HASH_BYTES];
	const struct cofl_version_cache_entry *e;
	int err = 1;

	if (k == NULL || !can_be_replaced(m))
		return 1;
	cof_hash(profile, bytes, of);
	pthread_mutex_lock(&k->lock);
	e = find(k, COFL_VERSION_CACHE_BUILT, m, of);
	if (e == NULL && k->grows)
		err = -COF_E_STATE;
	if (e != NULL)
		err = load(m, e, m->name, out);
	if (err == 0)
		out->drift_permille = drift_of(k, e->built, profile, bytes, of);
	pthread_mutex_unlock(&k->lock);
	if (err == 0) {
		cofl_method_compare(m, out);
		cofl_cached_profile_set(m, profile, bytes);
	}
	return err;
}

/* Is one of the inlined methods left alone (native/methods.h)? */
static bool is_pinned(const struct cof_version_desc *desc)
{
	for (size_t i = 0; i < desc->n_inlined; i++) {
		struct cofl_method *m = cof_method_data(desc->inlined[i]);

		if (m->pinned)
			return true;
	}
	return false;
}

int cofl_version_cache_host_continuations(void *ctx, void *method,
					  void *version, void *newer,
					  struct cof_version_desc *out)
{
	struct cofl *host = ctx;
	struct cofl_version_cache_host *k = host->version_cache;
	struct cofl_method *m = method;
	struct cofl_osr_points *points =
		version != NULL ? ((struct cofl_version *)version)->points :
				  NULL;
	const uint8_t *of = ((struct cofl_version *)newer)->profile;
	const struct cofl_version_cache_entry *e;
	char table[COFL_OSR_TABLE_BYTES];
	int err = 1;

	if (k == NULL || points == NULL || m->pinned)
		return 1;
	cofl_osr_table_name(table, m->name);
	pthread_mutex_lock(&k->lock);
	e = find(k, COFL_VERSION_CACHE_CONTINUATIONS, m, of);
	if (e != NULL && e->built->n_loops == points->n_loops &&
	    memcmp(e->built->profile, of, COF_HASH_BYTES) == 0)
		err = load(m, e, table, out);
	pthread_mutex_unlock(&k->lock);
	if (err != 0)
		return err;
	if (is_pinned(out)) {
		cofl_loader_unload(host, out->data);
		cof_code_free(host->cof, &out->block);
		return 1;
	}
	cofl_osr_points_lead(points, out->entry);
	out->entry = out->start;
	return 0;
}

void cofl_version_cache_host_idle_release(struct cofl *host)
{
	struct cofl_version_cache_host *k = host->version_cache;

	if (k == NULL)
		return;
	pthread_mutex_lock(&k->lock);
	if (k->was_read)
		close_cache(k);
	pthread_mutex_unlock(&k->lock);
}
