/*
 * version_cache.c - find records, make one
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

/* And the object, if the profile is in the record. */
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

/* -- Find ------------------------------------------------------------------- */

static bool is_record(const struct cofl_version_cache_header *h, uint64_t room,
		      const uint8_t key[COF_HASH_BYTES])
{
	uint8_t hash[COF_HASH_BYTES];

	if (room < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) != 0 ||
	    h->format != COFL_VERSION_CACHE_FORMAT || h->kind > COFL_VERSION_CACHE_JUDGED ||
	    memcmp(h->key, key, sizeof(h->key)) != 0 || h->bytes > room ||
	    h->bytes < profile_at(h) || h->bytes % COFL_VERSION_CACHE_ALIGN != 0 ||
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

static struct cofl_version_cache_entry *entry_of(const struct cofl_version_cache *shelf,
					 uint32_t method, uint64_t id)
{
	for (uint32_t i = 0; i < shelf->n; i++)
		if (shelf->entry[i].built->method == method &&
		    cofl_version_cache_id(shelf->entry[i].built) == id)
			return &shelf->entry[i];
	return NULL;
}

/* The very same, built again, is what it was, and the latest. */
static void move_last(struct cofl_version_cache *shelf, struct cofl_version_cache_entry *e)
{
	struct cofl_version_cache_entry was = *e;
	struct cofl_version_cache_entry *last = &shelf->entry[shelf->n - 1];

	memmove(e, e + 1, (size_t)(last - e) * sizeof(*e));
	*last = was;
}

static bool add_built(struct cofl_version_cache *shelf,
		      const struct cofl_version_cache_header *h)
{
	struct cofl_version_cache_entry *e = entry_of(shelf, h->method,
					      cofl_version_cache_id(h));

	if (e != NULL) {
		move_last(shelf, e);
		return true;
	}
	if (shelf->n == shelf->room) {
		uint32_t room = shelf->room ? 2 * shelf->room : 64;

		e = realloc(shelf->entry, room * sizeof(*e));
		if (e == NULL)
			return false;
		shelf->entry = e;
		shelf->room = room;
	}
	shelf->entry[shelf->n++] = (struct cofl_version_cache_entry){ .built = h };
	return true;
}

static void add_judged(struct cofl_version_cache *shelf,
		       const struct cofl_version_cache_header *h)
{
	struct cofl_version_cache_entry *e = entry_of(shelf, h->method, h->of);

	if (e != NULL)
		e->judged = h;
}

static bool was_taken_back(const struct cofl_version_cache_entry *e)
{
	return e->judged != NULL && e->judged->flags & COFL_VERSION_CACHE_BACK;
}

bool cofl_version_cache_stays(const struct cofl_version_cache *shelf, uint32_t i)
{
	const struct cofl_version_cache_entry *e = shelf->entry;
	uint32_t later = 0;

	for (uint32_t k = i + 1; k < shelf->n; k++)
		later += e[k].built->method == e[i].built->method &&
			 !was_taken_back(&e[k]);
	return !was_taken_back(&e[i]) && later < COFL_VERSION_CACHE_VERSIONS;
}

static void measure(struct cofl_version_cache *shelf)
{
	for (uint32_t i = 0; i < shelf->n; i++) {
		const struct cofl_version_cache_entry *e = &shelf->entry[i];

		if (cofl_version_cache_stays(shelf, i))
			shelf->live += e->built->bytes +
				       (e->judged ? e->judged->bytes : 0);
	}
}

bool cofl_version_cache_open(struct cofl_version_cache *shelf, const void *bytes, size_t n,
		     const uint8_t key[COF_HASH_BYTES])
{
	size_t at = 0;

	*shelf = (struct cofl_version_cache){ 0 };
	while (at < n) {
		const struct cofl_version_cache_header *h =
			(const void *)((const char *)bytes + at);

		if (!is_record(h, n - at, key)) {
			at += COFL_VERSION_CACHE_ALIGN;
			continue;
		}
		if (h->kind == COFL_VERSION_CACHE_JUDGED) {
			add_judged(shelf, h);
		} else if (!add_built(shelf, h)) {
			cofl_version_cache_close(shelf);
			return false;
		}
		at += h->bytes;
	}
	measure(shelf);
	return true;
}

void cofl_version_cache_close(struct cofl_version_cache *shelf)
{
	free(shelf->entry);
	*shelf = (struct cofl_version_cache){ 0 };
}

const struct cofl_version_cache_entry *
cofl_version_cache_find(const struct cofl_version_cache *shelf, uint32_t method,
		const uint8_t name[COF_HASH_BYTES],
		const uint8_t profile[COF_HASH_BYTES])
{
	const struct cofl_version_cache_entry *latest = NULL;

	for (uint32_t i = shelf->n; i-- > 0;) {
		const struct cofl_version_cache_entry *e = &shelf->entry[i];

		if (e->built->method != method || was_taken_back(e) ||
		    memcmp(e->built->name, name, COF_HASH_BYTES) != 0)
			continue;
		if (memcmp(e->built->profile, profile, COF_HASH_BYTES) == 0)
			return e;
		if (latest == NULL)
			latest = e;
	}
	return latest;
}

bool cofl_version_cache_failed(const struct cofl_version_cache *shelf, uint32_t method,
		       const uint8_t profile[COF_HASH_BYTES])
{
	bool failed = false;

	for (uint32_t i = 0; i < shelf->n; i++) {
		const struct cofl_version_cache_entry *e = &shelf->entry[i];

		failed |= e->built->method == method && was_taken_back(e) &&
			  memcmp(e->built->profile, profile,
				 COF_HASH_BYTES) == 0;
	}
	return failed;
}

const uint32_t *cofl_version_cache_inlined(const struct cofl_version_cache_header *built)
{
	return (const void *)((const char *)built + sizeof(*built));
}

const void *cofl_version_cache_profile(const struct cofl_version_cache_header *built)
{
	return (const char *)built + profile_at(built);
}

const void *cofl_version_cache_object(const struct cofl_version_cache_header *built)
{
	return (const char *)built + object_at(built);
}

/* -- Make ------------------------------------------------------------------- */

struct cofl_version_cache_header *
cofl_version_cache_make(const struct cofl_version_cache_header *header, const uint32_t *inlined,
		const void *profile, const void *object)
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
