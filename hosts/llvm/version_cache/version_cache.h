/*
 * version_cache.h - versions built in earlier runs: the file, as records
 *
 *	record | record | ...		each begins at a multiple of 64 bytes
 *	  |
 *	  +- BUILT:  header | numbers of methods inlined | profile | object
 *	  +- CONTINUATIONS: the same	of loops of such a version (osr/osr.h)
 *	  +- COUNTING: the same		an instrumented version; with what it
 *	  |				counts (counting_cache.h) as its profile
 *	  +- VERDICT: header		the verdict on a version that was built
 *
 * Records are only ever added. Of a method the latest
 * COFL_VERSION_CACHE_VERSIONS BUILT records count, and as many of
 * CONTINUATIONS, without those that were rolled back, each with the latest
 * VERDICT record of it; of COUNTING the latest, until something is built. Each
 * record has the key of program and machine, and a hash over all of it. So a
 * record that is cut short, changed or invalid is skipped, and the search goes
 * on 64 bytes further.
 *
 * A version is identified by its method and by the profile it was built from:
 * the same bytes would be built to the same code. If there is none of the
 * profile asked for, the latest version is taken, which is better than none.
 * Its own profile is stored with it, so the drift between the two can be
 * computed.
 *
 * Pure: no files. support/cache_dir.h has the file, version_cache_write.h
 * writes it, version_cache_host.h is the host's use of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Change it with any change after which the same bitcode and profile compile to
 * other code, or a record has another meaning. */
#define COFL_VERSION_CACHE_FORMAT 7u

#define COFL_VERSION_CACHE_ALIGN    64u
#define COFL_VERSION_CACHE_VERSIONS 2u	/* that count, of a method */

enum cofl_version_cache_kind {
	COFL_VERSION_CACHE_BUILT,
	COFL_VERSION_CACHE_CONTINUATIONS,
	COFL_VERSION_CACHE_COUNTING,
	COFL_VERSION_CACHE_VERDICT,
};

enum cofl_version_cache_flags {
	/* BUILT: inline assembly names the stack pointer. */
	COFL_VERSION_CACHE_MOVES_STACK = 1,
	/* VERDICT: it was rolled back. */
	COFL_VERSION_CACHE_ROLLED_BACK        = 2,
	/* VERDICT: a trial of it shows nothing. */
	COFL_VERSION_CACHE_UNSEEN      = 4,
};

struct cofl_version_cache_header {
	char     magic[8];
	uint32_t format;
	uint32_t kind;			/* enum cofl_version_cache_kind */
	uint8_t  key[COF_HASH_BYTES];	/* code_key.h */
	uint8_t  hash[COF_HASH_BYTES];	/* of the record, this field zero */
	uint64_t bytes;			/* of the record, a multiple of ALIGN */
	uint32_t method;		/* its number in the bitcode */
	uint32_t flags;
	uint8_t  name[COF_HASH_BYTES];	/* a hash of the method's name */

	/* BUILT, CONTINUATIONS, COUNTING */
	uint8_t  profile[COF_HASH_BYTES];	/* a hash of its bytes */
	uint64_t object_bytes;
	uint64_t profile_bytes;
	uint32_t n_inlined;
	uint32_t n_loops;		/* CONTINUATIONS, COUNTING: of the
					 * function, if it has points */

	/* VERDICT */
	uint32_t permille;		/* its speed; 1000: as fast as the
					 * version before */
	uint32_t over;			/* the plan of the version before */
	uint32_t progress;		/* of a trial: speed << 16 | standard
					 * error, in permille; 0: none */
	uint64_t of;			/* cofl_version_cache_id() of the BUILT
					 * record */
};

/* A version that was built. */
struct cofl_version_cache_entry {
	const struct cofl_version_cache_header *built;
	const struct cofl_version_cache_header *verdict;	/* NULL: none */
};

/* A view; the bytes must outlive it. */
struct cofl_version_cache {
	struct cofl_version_cache_entry *entry;	/* allocated; oldest first */
	uint32_t n, capacity;
	uint64_t live;		/* bytes that count */
};

/* Find the records with this key in the bytes, which are aligned as malloc(3)
 * aligns. False: no memory. */
bool cofl_version_cache_open(struct cofl_version_cache *cache,
			     const void *bytes, size_t n,
			     const uint8_t key[COF_HASH_BYTES]);
void cofl_version_cache_close(struct cofl_version_cache *cache);

/* The method's record of this kind and profile, else its latest, without those
 * that were rolled back. `name` and `profile` are hashes. NULL: there is
 * none. */
const struct cofl_version_cache_entry *
cofl_version_cache_find(const struct cofl_version_cache *cache,
			enum cofl_version_cache_kind kind, uint32_t method,
			const uint8_t name[COF_HASH_BYTES],
			const uint8_t profile[COF_HASH_BYTES]);

/* Was the method's version of this profile rolled back? */
bool cofl_version_cache_failed(const struct cofl_version_cache *cache,
			       uint32_t method,
			       const uint8_t profile[COF_HASH_BYTES]);

/* Does entry i count? The others go when the file is rewritten. */
bool cofl_version_cache_is_live(const struct cofl_version_cache *cache,
			      uint32_t i);

/* Identifies a BUILT record in the file. */
uint64_t cofl_version_cache_id(const struct cofl_version_cache_header *built);

/* The parts of a record of what was built. */
const uint32_t *
cofl_version_cache_inlined(const struct cofl_version_cache_header *built);
const void *
cofl_version_cache_profile(const struct cofl_version_cache_header *built);
const void *
cofl_version_cache_object(const struct cofl_version_cache_header *built);

/*
 * A record, for the caller to free(3), with the fields of *header. Sets magic,
 * format, bytes and hash, and copies the lists. NULL: no memory.
 */
struct cofl_version_cache_header *
cofl_version_cache_make(const struct cofl_version_cache_header *header,
			const uint32_t *inlined, const void *profile,
			const void *object);
