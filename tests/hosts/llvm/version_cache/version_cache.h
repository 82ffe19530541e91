/*
 * version_cache.h - records for a version cache, each made of a few letters
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "hosts/llvm/version_cache/version_cache.h"

static uint8_t cache_key[COF_HASH_BYTES];

static inline void cache_hash(const char *text, uint8_t out[COF_HASH_BYTES])
{
	cof_hash(text, strlen(text), out);
}

/* What every record of `method` begins with. */
static inline struct cofl_version_cache_header cache_header(uint32_t method)
{
	struct cofl_version_cache_header h = { .method = method };

	memcpy(h.key, cache_key, sizeof(h.key));
	cache_hash("name", h.name);
	return h;
}

/* The caller's to free. */
static inline struct cofl_version_cache_header *
cache_made(enum cofl_version_cache_kind kind, uint32_t method,
	   const char *profile, const void *object, size_t n)
{
	struct cofl_version_cache_header h = cache_header(method), *made;
	const uint32_t inlined[] = { method + 1, method + 2 };

	h.kind = kind;
	cache_hash(profile, h.profile);
	h.object_bytes = n;
	h.profile_bytes = strlen(profile);
	h.n_inlined = 2;
	made = cofl_version_cache_make(&h, inlined, profile, object);
	assert_non_null(made);
	return made;
}

static inline struct cofl_version_cache_header *
cache_built(uint32_t method, const char *profile, const void *object, size_t n)
{
	return cache_made(COFL_VERSION_CACHE_BUILT, method, profile, object, n);
}

static inline struct cofl_version_cache_header *
cache_verdict(const struct cofl_version_cache_header *built, uint32_t flags,
	      uint32_t permille)
{
	struct cofl_version_cache_header h = cache_header(built->method), *made;

	h.kind = COFL_VERSION_CACHE_VERDICT;
	h.flags = flags;
	h.permille = permille;
	h.over = 2;
	h.of = cofl_version_cache_id(built);
	made = cofl_version_cache_make(&h, NULL, NULL, NULL);
	assert_non_null(made);
	return made;
}

/* Of method `method` and that profile, if it is there. */
static inline const struct cofl_version_cache_entry *
cache_find(const struct cofl_version_cache *cache, uint32_t method,
	   const char *profile)
{
	uint8_t name[COF_HASH_BYTES], of[COF_HASH_BYTES];

	cache_hash("name", name);
	cache_hash(profile, of);
	return cofl_version_cache_find(cache, COFL_VERSION_CACHE_BUILT, method,
				       name, of);
}

static inline void cache_holds(const struct cofl_version_cache *cache,
			       uint32_t method, const char *profile,
			       const char *object)
{
	const struct cofl_version_cache_entry *e = cache_find(cache, method,
							      profile);

	assert_non_null(e);
	assert_int_equal(e->built->object_bytes, strlen(object));
	assert_memory_equal(cofl_version_cache_object(e->built), object,
			    strlen(object));
	assert_int_equal(e->built->profile_bytes, strlen(profile));
	assert_memory_equal(cofl_version_cache_profile(e->built), profile,
			    strlen(profile));
	assert_int_equal(e->built->n_inlined, 2);
	assert_int_equal(cofl_version_cache_inlined(e->built)[1], method + 2);
}
