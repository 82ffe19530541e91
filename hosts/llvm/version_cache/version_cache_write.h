/*
 * version_cache_write.h - read and write a program's file KEY.ver
 * (support/cache_dir.h)
 *
 * Records are added under a lock on the file, so processes wait for each other.
 * A process that is killed meanwhile leaves a record cut short, which readers
 * skip (version_cache.h). On a full disk the file stays as it was.
 *
 * When the file has grown by a megabyte and less than half of it counts, what
 * counts is written to KEY.new, which then replaces the file. A process that
 * reads the old file has all of that one.
 *
 * Thread: any that blocks SIGXFSZ, as all of libcof's threads do. So past a
 * file size limit a write fails, and does not end the process. All functions
 * block on file I/O.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "version_cache/version_cache.h"

/* A copy of the file, for the caller to munmap(2); renews its date. NULL: there
 * is none that is trusted. */
void *cofl_version_cache_read(const uint8_t key[COF_HASH_BYTES], size_t *n);

/* How long the file is now; 0: there is none. */
uint64_t cofl_version_cache_length(const uint8_t key[COF_HASH_BYTES]);

/* Is there a file, trusted or not? */
bool cofl_version_cache_exists(const uint8_t key[COF_HASH_BYTES]);

/*
 * Add a record. All files of the cache directory may take max_bytes, and this
 * one a quarter of that. False: it was not added; also, unless `wait`, because
 * another process has the lock.
 */
bool cofl_version_cache_write_add(
	const uint8_t key[COF_HASH_BYTES],
	const struct cofl_version_cache_header *record, uint64_t max_bytes,
	bool wait);
