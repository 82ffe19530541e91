/*
 * version_cache_write.h - put records on a program's shelf: the file KEY.ver (support/cache_dir.h)
 *
 * Records are added under a lock on the file, so two processes wait for each
 * other. A process killed in between leaves a record cut short, which is passed
 * over (version_cache.h); a disk without room leaves the file as it was. When a file has
 * grown by a megabyte and less than half of it counts, it is written anew beside
 * itself, KEY.new, and renamed: who reads the old one has all of that.
 *
 * Thread: any whose SIGXFSZ is blocked, as it is in all of libcof's: past a file
 * size limit a write fails then, and does not end the process.
 */
#ifndef COFL_VERSION_CACHE_VERSION_CACHE_WRITE_H
#define COFL_VERSION_CACHE_VERSION_CACHE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "version_cache/version_cache.h"

/*
 * All of the file, in memory to be given back with munmap(2), and its date is
 * renewed. NULL: there is none to be trusted.
 */
void *cofl_version_cache_read(const uint8_t key[COF_HASH_BYTES], size_t *n);

/* Is there one, whatever it is worth? */
bool cofl_version_cache_exists(const uint8_t key[COF_HASH_BYTES]);

/*
 * Add a record; all files of the folder are to take at most max_bytes, this one a
 * quarter of it. False: it was not. Unless `wait`, also if somebody else is at it.
 */
bool cofl_version_cache_write_add(const uint8_t key[COF_HASH_BYTES],
		       const struct cofl_version_cache_header *record,
		       uint64_t max_bytes, bool wait);

#endif /* COFL_VERSION_CACHE_VERSION_CACHE_WRITE_H */
