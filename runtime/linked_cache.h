/*
 * linked_cache.h - executables that were linked from bitcode, in the cache
 * directory (support/cache_dir.h)
 *
 *	KEY.exe	the executable, with its tail (support/linked_tail.h)
 *	KEY.tmp	empty; locked by who links it
 *	KEY.new	while it is written, under that lock
 *
 * KEY.exe is never open for writing: a file that is cannot be executed. So what
 * processes wait for is another file.
 *
 * Without a cache every function says that there is nothing.
 *
 * Thread: one. All block on file I/O.
 */
#pragma once

#include <stdint.h>

#include "base/hash.h"

/* The executable, for reading and executing. -1: there is none. One that is
 * damaged goes. */
int linked_cache_find(const uint8_t key[COF_HASH_BYTES]);

/*
 * Wait until nobody else links it. Returns the executable, if somebody has
 * made it meanwhile; else -1, and *lock is for leave(). *lock -1: there is no
 * cache, or it cannot be written, or somebody links it for too long.
 */
int linked_cache_wait(const uint8_t key[COF_HASH_BYTES], int *lock);
void linked_cache_leave(const uint8_t key[COF_HASH_BYTES], int lock);

/* Copy the executable `from` there, under the lock, and find() it. -1: it could
 * not be written. */
int linked_cache_store(const uint8_t key[COF_HASH_BYTES], int from);
