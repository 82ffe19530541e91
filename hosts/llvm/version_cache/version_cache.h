/*
 * version_cache.h - versions built in earlier runs: the file, as records
 *
 *	record | record | ...		each begins at a multiple of 64 bytes
 *	  |
 *	  +- BUILT:  header | numbers of methods inlined in it | profile | object
 *	  +- JUDGED: header		how a version that was built came off
 *
 * Records are only ever added. Of a method the latest COFL_VERSION_CACHE_VERSIONS BUILT
 * count, but those that were taken back, each with the latest JUDGED that is about
 * it. A record stands for itself: it has the key of
 * the program and machine, and a hash over all of it, so what was cut off, changed,
 * or was never one is passed over, and the search goes on 64 bytes further.
 *
 * A version is known by its method and by the profile it was built from: equal
 * bytes would be built to the same again. Where there is none of that profile the
 * latest is taken: it is better than nothing, and how far the two profiles are
 * apart can be told, since its own is with it.
 *
 * Pure: no files. Where it lies is support/cache_dir.h, how it is written version_cache_write.h, what
 * the host does with it version_cache_host.h.
 */
#ifndef COFL_VERSION_CACHE_VERSION_CACHE_H
#define COFL_VERSION_CACHE_VERSION_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Change it with anything that makes a method of the same bitcode and profile
 * compile to something else, or a record mean something else. */
#define COFL_VERSION_CACHE_FORMAT 5u

#define COFL_VERSION_CACHE_ALIGN    64u
#define COFL_VERSION_CACHE_VERSIONS 2u	/* of a method, that are kept */

enum cofl_version_cache_kind { COFL_VERSION_CACHE_BUILT, COFL_VERSION_CACHE_JUDGED };

enum cofl_version_cache_flags {
	COFL_VERSION_CACHE_MOVES_STACK = 1,	/* BUILT: inline assembly names the
					 * stack pointer */
	COFL_VERSION_CACHE_BACK        = 2,	/* JUDGED: it was taken back */
	COFL_VERSION_CACHE_UNSEEN      = 4,	/* JUDGED: a trial of it shows nothing */
};

struct cofl_version_cache_header {
	char     magic[8];
	uint32_t format;
	uint32_t kind;			/* enum cofl_version_cache_kind */
	uint8_t  key[COF_HASH_BYTES];	/* of the image (image/image.h) */
	uint8_t  hash[COF_HASH_BYTES];	/* of the record, this field zero */
	uint64_t bytes;			/* of the record, a multiple of ALIGN */
	uint32_t method;		/* its number in the bitcode, */
	uint32_t flags;
	uint8_t  name[COF_HASH_BYTES];	/* and a hash of its name */

	/* BUILT */
	uint8_t  profile[COF_HASH_BYTES];	/* a hash of its bytes */
	uint64_t object_bytes;
	uint64_t profile_bytes;
	uint32_t n_inlined;

	/* JUDGED */
	uint32_t permille;		/* its speed; 1000: as fast */
	uint32_t over;			/* as the one before, of this plan */
	uint32_t seen;			/* speed and standard error so far, in
					 * permille; the former << 16; 0: not */
	uint64_t of;			/* cofl_version_cache_id() of the BUILT one */
};

/* One that was built. */
struct cofl_version_cache_entry {
	const struct cofl_version_cache_header *built;
	const struct cofl_version_cache_header *judged;	/* NULL: it was not */
};

/* A view; the bytes must outlive it. */
struct cofl_version_cache {
	struct cofl_version_cache_entry *entry;		/* ours; later ones are newer */
	uint32_t                 n, room;
	uint64_t                 live;		/* bytes that count */
};

/* Look through the bytes, aligned as malloc(3) does, for records with this key.
 * False: no memory. */
bool cofl_version_cache_open(struct cofl_version_cache *shelf, const void *bytes, size_t n,
		     const uint8_t key[COF_HASH_BYTES]);
void cofl_version_cache_close(struct cofl_version_cache *shelf);

/* Of the method's versions that were not taken back the one of this profile, else
 * the latest. NULL: none. */
const struct cofl_version_cache_entry *
cofl_version_cache_find(const struct cofl_version_cache *shelf, uint32_t method,
		const uint8_t name[COF_HASH_BYTES],
		const uint8_t profile[COF_HASH_BYTES]);

/* Was the method's version of this profile taken back? */
bool cofl_version_cache_failed(const struct cofl_version_cache *shelf, uint32_t method,
		       const uint8_t profile[COF_HASH_BYTES]);

/* Is its i-th entry to stay when all else is thrown away? */
bool cofl_version_cache_stays(const struct cofl_version_cache *shelf, uint32_t i);

/* What it is known by, in the file. */
uint64_t cofl_version_cache_id(const struct cofl_version_cache_header *built);

/* Of a BUILT one. */
const uint32_t *cofl_version_cache_inlined(const struct cofl_version_cache_header *built);
const void     *cofl_version_cache_profile(const struct cofl_version_cache_header *built);
const void     *cofl_version_cache_object(const struct cofl_version_cache_header *built);

/*
 * A record, from malloc(3), with what is in *header but for magic, format, bytes
 * and hash; the lists are copied. NULL: no memory.
 */
struct cofl_version_cache_header *
cofl_version_cache_make(const struct cofl_version_cache_header *header, const uint32_t *inlined,
		const void *profile, const void *object);

#endif /* COFL_VERSION_CACHE_VERSION_CACHE_H */
