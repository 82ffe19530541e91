/*
 * version_cache_state.h - what the host keeps of its version cache
 *
 * version_cache_host.c reads the file and loads from it, version_cache_put.c
 * adds to it.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "cofl.h"
#include "version_cache/verdicts.h"
#include "version_cache/version_cache.h"

struct cofl_version_cache_host {
	/* Constant. */
	const struct cofl *host;
	uint8_t  key[COF_HASH_BYTES];
	uint64_t max_bytes;

	pthread_mutex_t   writing;	/* the file; outside verdicts.lock */
	pthread_mutex_t   lock;
	/* [lock] */
	bool              was_read;
	bool              grows;	/* a process finished runs as it was
					 * read */
	uint64_t          length;	/* of the file then */
	uint64_t          again_ns;	/* when to look at it again */
	void             *bytes;	/* the file's; NULL: none */
	size_t            n_bytes;
	struct cofl_version_cache cache;	/* the view of these */

	struct cofl_verdicts verdicts;
};

/* By which records know the method. */
static inline void cofl_version_cache_name(const struct cofl_method *m,
					   uint8_t out[COF_HASH_BYTES])
{
	cof_hash(m->name, strlen(m->name), out);
}
