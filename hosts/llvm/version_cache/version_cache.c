/*
 * version_cache.c - find records, and make one; see version_cache.h
 */
#include "version_cache/version_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/align.h"

static const char magic[8] = { 'c', 'o', 'f', 'v', 'e', 'r', '\r', '\n' };

static uint64_t align_up(uint64_t n)
{
	return cof_align_up(n, COFL_VERSION_CACHE_ALIGN);
}

/* Where the profile begins; no overflow: n_inlined has 32 bits. */
static uint64_t profile_at(const struct cofl_version_cache_header *h)
{
	return align_up(sizeof(*h) + (uint64_t)h->n_inlined * sizeof(uint32_t));
}

/* Where the object begins, if the profile is inside the record. */
static uint64_t object_at(const struct cofl_version_cache_header *h)
{
	return align_up(profile_at(h) + h->profile_bytes);
}

static void hash_of(const struct cofl_version_cache_header *h,
		    uint8_t out[COF_HASH_BYTES])
{
	struct cofl_version_cache_header blank = *h;
	struct cof_hash sum;

	memset(blank.hash, 0, sizeof(blank.hash));
	cof_hash_init(&sum);
	cof_hash_add(&sum, &blank, sizeof(blank));
	cof_hash_add(&sum, (const char *)h + sizeof(*h), h->bytes - sizeof(*h));
	cof_hash_end(&sum, out);
}

/* -- Find ------------------------------------------------------------------ */

static bool is_record(const struct cofl_version_cache_header *h, uint64_t left,
		      const uint8_t key[COF_HASH_BYTES])
{
	uint8_t hash[COF_HASH_BYTES];

	if (left < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) != 0 ||
	    h->format != COFL_VERSION_CACHE_FORMAT ||
	    h->kind > COFL_VERSION_CACHE_VERDICT ||
	    memcmp(h->key, key, sizeof(h->key)) != 0 || h->bytes > left ||
	    h->bytes < profile_at(h) ||
	    h->bytes % COFL_VERSION_CACHE_ALIGN != 0 ||
	    h->profile_bytes > h->bytes - profile_at(h) ||
	    h->object_bytes > h->bytes - object_at(h))
		return false;
	hash_of(h, hash);
	return memcmp(h->hash, hash, sizeof(hash)) == 0;
}

uint64_t cofl_version_cache_id(const struct cofl_version_cache_header *built)
{
	uint64_t id;

	memcpy(&id, built->hash, sizeof(id));
	return id;
}

static struct cofl_version_cache_entry *
entry_of(const struct cofl_version_cache *cache, uint32_t method, uint64_t id)
{
	for (uint32_t i = 0; i < cache->n; i++)
		if (cache->entry[i].built->method == method &&
		    cofl_version_cache_id(cache->entry[i].built) == id)
			return &cache->entry[i];
	return NULL;
}

/* The same version, built again: it is the latest now, with its verdict. */
static void move_last(struct cofl_version_cache *cache,
		      struct cofl_version_cache_entry *e)
{
	struct cofl_version_cache_entry was = *e;
	struct cofl_version_cache_entry *last = &cache->entry[cache->n - 1];

	memmove(e, e + 1, (size_t)(last - e) * sizeof(*e));
	*last = was;
}

static bool add_built(struct cofl_version_cache *cache,
		      const struct cofl_version_cache_header *h)
{
	struct cofl_version_cache_entry *e =
		entry_of(cache, h->method, cofl_version_cache_id(h));

	if (e != NULL) {
		move_last(cache, e);
		return true;
	}
	if (cache->n == cache->capacity) {
		uint32_t capacity = cache->capacity ? 2 * cache->capacity : 64;

		e = realloc(cache->entry, capacity * sizeof(*e));
		if (e == NULL)
			return false;
		cache->entry = e;
		cache->capacity = capacity;
	}
	cache->entry[cache->n++] = (struct cofl_version_cache_entry){
		.built = h
	};
	return true;
}

static void add_verdict(struct cofl_version_cache *cache,
			const struct cofl_version_cache_header *h)
{
	struct cofl_version_cache_entry *e = entry_of(cache, h->method, h->of);

	if (e != NULL)
		e->verdict = h;
}

static bool was_rolled_back(const struct cofl_version_cache_entry *e)
{
	return e->verdict != NULL &&
	       e->verdict->flags & COFL_VERSION_CACHE_ROLLED_BACK;
}

bool cofl_version_cache_is_live(const struct cofl_version_cache *cache,
			      uint32_t i)
{
	const struct cofl_version_cache_entry *e = cache->entry;
	bool counts = e[i].built->kind == COFL_VERSION_CACHE_COUNTING;
	uint32_t later = 0;

	for (uint32_t k = i + 1; k < cache->n; k++)
		later += e[k].built->method == e[i].built->method &&
			 (e[k].built->kind == e[i].built->kind ||
			  (counts &&
			   e[k].built->kind == COFL_VERSION_CACHE_BUILT)) &&
			 !was_rolled_back(&e[k]);
	return !was_rolled_back(&e[i]) &&
	       later < (counts ? 1 : COFL_VERSION_CACHE_VERSIONS);
}

static void measure(struct cofl_version_cache *cache)
{
	for (uint32_t i = 0; i < cache->n; i++) {
		const struct cofl_version_cache_entry *e = &cache->entry[i];

		if (cofl_version_cache_is_live(cache, i))
			cache->live += e->built->bytes +
				       (e->verdict ? e->verdict->bytes : 0);
	}
}

bool cofl_version_cache_open(struct cofl_version_cache *cache,
			     const void *bytes, size_t n,
			     const uint8_t key[COF_HASH_BYTES])
{
	size_t at = 0;

	*cache = (struct cofl_version_cache){ 0 };
	while (at < n) {
		const struct cofl_version_cache_header *h =
			(const void *)((const char *)bytes + at);

		if (!is_record(h, n - at, key)) {
			at += COFL_VERSION_CACHE_ALIGN;
			continue;
		}
		if (h->kind == COFL_VERSION_CACHE_VERDICT) {
			add_verdict(cache, h);
		} else if (!add_built(cache, h)) {
			cofl_version_cache_close(cache);
			return false;
		}
		at += h->bytes;
	}
	measure(cache);
	return true;
}

void cofl_version_cache_close(struct cofl_version_cache *cache)
{
	free(cache->entry);
	*cache = (struct cofl_version_cache){ 0 };
}

const struct cofl_version_cache_entry *
cofl_version_cache_find(const struct cofl_version_cache *cache,
			enum cofl_version_cache_kind kind, uint32_t method,
			const uint8_t name[COF_HASH_BYTES],
			const uint8_t profile[COF_HASH_BYTES])
{
	const struct cofl_version_cache_entry *latest = NULL;

	for (uint32_t i = cache->n; i-- > 0;) {
		const struct cofl_version_cache_entry *e = &cache->entry[i];

		if (e->built->kind != kind || e->built->method != method ||
		    was_rolled_back(e) ||
		    memcmp(e->built->name, name, COF_HASH_BYTES) != 0)
			continue;
		if (memcmp(e->built->profile, profile, COF_HASH_BYTES) == 0)
			return e;
		if (latest == NULL)
			latest = e;
	}
	return latest;
}

bool cofl_version_cache_failed(const struct cofl_version_cache *cache,
			       uint32_t method,
			       const uint8_t profile[COF_HASH_BYTES])
{
	bool failed = false;

	for (uint32_t i = 0; i < cache->n; i++) {
		const struct cofl_version_cache_entry *e = &cache->entry[i];

		failed |= e->built->method == method && was_rolled_back(e) &&
			  memcmp(e->built->profile, profile,
				 COF_HASH_BYTES) == 0;
	}
	return failed;
}

const uint32_t *
cofl_version_cache_inlined(const struct cofl_version_cache_header *built)
{
	return (const void *)((const char *)built + sizeof(*built));
}

const void *
cofl_version_cache_profile(const struct cofl_version_cache_header *built)
{
	return (const char *)built + profile_at(built);
}

const void *
cofl_version_cache_object(const struct cofl_version_cache_header *built)
{
	return (const char *)built + object_at(built);
}

/* -- Make ------------------------------------------------------------------ */

struct cofl_version_cache_header *
cofl_version_cache_make(const struct cofl_version_cache_header *header,
			const uint32_t *inlined, const void *profile,
			const void *object)
{
	uint64_t at = object_at(header);
	uint64_t bytes = align_up(at + header->object_bytes);
	struct cofl_version_cache_header *h = calloc(1, bytes);

	if (h == NULL)
		return NULL;
	*h = *header;
	memcpy(h->magic, magic, sizeof(magic));
	h->format = COFL_VERSION_CACHE_FORMAT;
	h->bytes = bytes;
	if (h->n_inlined != 0)
		memcpy((char *)h + sizeof(*h), inlined,
		       h->n_inlined * sizeof(*inlined));
	if (h->profile_bytes != 0)
		memcpy((char *)h + profile_at(h), profile, h->profile_bytes);
	if (h->object_bytes != 0)
		memcpy((char *)h + at, object, h->object_bytes);
	hash_of(h, h->hash);
	return h;
}
