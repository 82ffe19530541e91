/*
 * version_cache_host.c - read the file once, load from it, add to it
 */
#include "version_cache/version_cache_host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "link/loader.h"
#include "profile/method_profile.h"
#include "program/host.h"
#include "support/xcalloc.h"
#include "version_cache/cached_profile.h"
#include "version_cache/verdicts.h"
#include "version_cache/version_cache.h"
#include "version_cache/version_cache_write.h"

struct cofl_version_cache_host {
	/* Constant. */
	const struct cofl *host;
	uint8_t  key[COF_HASH_BYTES];
	uint64_t max_bytes;

	pthread_mutex_t   writing;	/* the file; outside verdicts.lock */
	pthread_mutex_t   lock;
	/* [lock] */
	bool              was_read;
	void             *bytes;	/* the file's; NULL: none */
	size_t            n_bytes;
	struct cofl_version_cache cache;	/* the view of these */

	struct cofl_verdicts verdicts;
};

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

static void hash_name(const struct cofl_method *m, uint8_t out[COF_HASH_BYTES])
{
	cof_hash(m->name, strlen(m->name), out);
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

	k->bytes = cofl_version_cache_read(k->key, &k->n_bytes);
}

/* Under the lock. */
static void read_cache(struct cofl_version_cache_host *k)
{
	if (k->was_read)
		return;
	cof_call_with_private_files(k->host->cof, read_job, k);
	if (k->bytes != NULL &&
	    !cofl_version_cache_open(&k->cache, k->bytes, k->n_bytes, k->key))
		close_cache(k);
	k->was_read = true;
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
			     h->object_bytes, body, COF_PLAN_PROFILE, out, why,
			     sizeof(why)) != 0) {
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

	hash_name(m, name);
	read_cache(k);
	return cofl_version_cache_find(&k->cache, kind, m->number, name, of);
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

	if (k == NULL || m->pinned ||
	    atomic_load_explicit(&m->keeps_blockaddresses,
				 memory_order_relaxed))
		return 1;
	cof_hash(profile, bytes, of);
	pthread_mutex_lock(&k->lock);
	e = find(k, COFL_VERSION_CACHE_BUILT, m, of);
	if (e != NULL)
		err = load(m, e, m->name, out);
	if (err == 0)
		out->drift_permille = drift_of(k, e->built, profile, bytes, of);
	pthread_mutex_unlock(&k->lock);
	if (err == 0)
		cofl_cached_profile_set(m, profile, bytes);
	return err;
}

bool cofl_version_cache_host_continuations(struct cofl_method *m,
					   const char *body, uint32_t n_loops,
					   const void *profile, size_t bytes,
					   struct cof_version_desc *out)
{
	struct cofl_version_cache_host *k = m->host->version_cache;
	uint8_t of[COF_HASH_BYTES];
	const struct cofl_version_cache_entry *e;
	bool found;

	if (k == NULL)
		return false;
	cof_hash(profile, bytes, of);
	pthread_mutex_lock(&k->lock);
	e = find(k, COFL_VERSION_CACHE_CONTINUATIONS, m, of);
	found = e != NULL && e->built->n_loops == n_loops &&
		memcmp(e->built->profile, of, sizeof(of)) == 0 &&
		load(m, e, body, out) == 0;
	pthread_mutex_unlock(&k->lock);
	return found;
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

/* -- Put ------------------------------------------------------------------- */

struct addition {
	struct cofl_version_cache_host         *host;
	const struct cofl_version_cache_header *record;
	bool wait, done;
};

static void add_job(void *arg)
{
	struct addition *a = arg;

	a->done = cofl_version_cache_write_add(a->host->key, a->record,
					       a->host->max_bytes, a->wait);
}

static bool add(struct cofl_version_cache_host *k,
		const struct cofl_version_cache_header *record, bool wait)
{
	struct addition a = { k, record, wait, false };

	cof_call_with_private_files(k->host->cof, add_job, &a);
	return a.done;
}

/* Under `writing`. Also writes verdicts that were queued while another thread
 * had the file. */
static void put_verdicts(struct cofl_version_cache_host *k, bool wait)
{
	struct cofl_version_cache_header *h;

	while ((h = cofl_verdicts_first(&k->verdicts)) != NULL &&
	       add(k, h, wait))
		cofl_verdicts_drop(&k->verdicts);
}

static struct cofl_version_cache_header
header_of(const struct cofl_version_cache_host *k, const struct cofl_method *m)
{
	struct cofl_version_cache_header h = { .method = m->number };

	memcpy(h.key, k->key, sizeof(h.key));
	hash_name(m, h.name);
	return h;
}

void cofl_version_cache_host_put(struct cofl_method *m,
				 const struct cof_version_desc *desc,
				 const struct cofl_built *b)
{
	struct cofl_version_cache_host *k = m->host->version_cache;
	struct cofl_version *version = desc->data;
	struct cofl_version_cache_header what, *h;
	uint32_t *inlined;

	if (k == NULL)
		return;
	what = header_of(k, m);
	what.kind = b->n_loops != 0 ? COFL_VERSION_CACHE_CONTINUATIONS :
				      COFL_VERSION_CACHE_BUILT;
	what.n_loops = b->n_loops;
	what.flags = b->moves_stack ? COFL_VERSION_CACHE_MOVES_STACK : 0;
	what.object_bytes = b->object_bytes;
	what.profile_bytes = b->profile_bytes;
	what.n_inlined = (uint32_t)desc->n_inlined;
	cof_hash(b->profile, b->profile_bytes, what.profile);
	inlined = cofl_xcalloc(desc->n_inlined, sizeof(*inlined));
	for (size_t i = 0; i < desc->n_inlined; i++)
		inlined[i] = ((struct cofl_method *)
			      cof_method_data(desc->inlined[i]))->number;
	h = cofl_version_cache_make(&what, inlined, b->profile, b->object);
	free(inlined);
	if (h == NULL)
		return;
	pthread_mutex_lock(&k->writing);
	if (add(k, h, true)) {
		version->cached_id = cofl_version_cache_id(h);
		put_verdicts(k, true);
	}
	pthread_mutex_unlock(&k->writing);
	free(h);
}

/* Queue a record of all that is known of the version, and write it if
 * possible. */
static void add_verdict(struct cofl_version_cache_host *k, void *method,
			const struct cofl_version *version)
{
	struct cofl_version_cache_header what = header_of(k, method), *h;

	what.kind = COFL_VERSION_CACHE_VERDICT;
	what.flags = version->verdict.flags;
	what.permille = version->verdict.permille;
	what.over = version->verdict.over;
	what.progress = version->verdict.progress;
	what.of = version->cached_id;
	h = cofl_version_cache_make(&what, NULL, NULL, NULL);
	if (h == NULL)
		return;
	cofl_verdicts_add(&k->verdicts, h);
	/* P/O does not wait: the thread that writes now, or next, adds it. */
	if (pthread_mutex_trylock(&k->writing) != 0)
		return;
	put_verdicts(k, false);
	pthread_mutex_unlock(&k->writing);
}

void cofl_version_cache_host_trial_result(void *ctx, void *method, void *data,
				    int stays, unsigned permille,
				    enum cof_plan over)
{
	struct cofl_version_cache_host *k = ((struct cofl *)ctx)->version_cache;
	struct cofl_version *version = data;

	if (k == NULL || version == NULL || version->cached_id == 0)
		return;
	version->verdict.flags = !stays ? COFL_VERSION_CACHE_ROLLED_BACK :
		stays == COF_TRIAL_UNSEEN ? COFL_VERSION_CACHE_UNSEEN : 0;
	version->verdict.permille = permille;
	version->verdict.over = over;
	add_verdict(k, method, version);
}

void cofl_version_cache_host_trial_progress(void *ctx, void *method, void *data,
				  unsigned permille, unsigned error_permille,
				  enum cof_plan over)
{
	struct cofl_version_cache_host *k = ((struct cofl *)ctx)->version_cache;
	struct cofl_version *version = data;

	if (k == NULL || version == NULL || version->cached_id == 0 ||
	    permille > UINT16_MAX || error_permille > UINT16_MAX)
		return;
	if (version->verdict.over != over)
		version->verdict.permille = 0;
	version->verdict.over = over;
	version->verdict.progress = permille << 16 | error_permille;
	add_verdict(k, method, version);
}
