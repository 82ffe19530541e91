/*
 * image_cache.h - images, in the user's folder (support/cache_dir.h)
 *
 * One file per image, KEY.img; KEY.tmp while it is written, locked by who writes
 * it. A file is complete from the moment it has its name.
 *
 * Errors are not told: without a cache the program runs all the same.
 */
#ifndef COFL_IMAGE_IMAGE_CACHE_H
#define COFL_IMAGE_IMAGE_CACHE_H

#include <stdbool.h>

#include "image/image.h"

/*
 * Find the image and read it. False: there is none that is whole and ours; what
 * is there and damaged is removed.
 */
bool cofl_image_cache_find(const uint8_t key[COFL_HASH_BYTES],
		     struct cofl_image *image);
void cofl_image_cache_close(struct cofl_image *image);

/* Is there a file, whole or not? Cheap: for polling. */
bool cofl_image_cache_has(const uint8_t key[COFL_HASH_BYTES]);

/*
 * That it could not be compiled is remembered for a day, next to where it would
 * be: else each run would try again. Noted by who is at it, before it tries, so
 * that it stands there if that process dies; and taken back once that is over.
 * Failed: it is noted, and nobody is at it.
 */
void cofl_image_cache_note(const uint8_t key[COFL_HASH_BYTES], bool tries);
bool cofl_image_cache_failed(const uint8_t key[COFL_HASH_BYTES]);

/*
 * Begin to make one: a descriptor of the locked file to write to, or -1: somebody
 * else is making it, or there is no cache to write to. Makes the folder. End it
 * with commit or abandon. With `wait`, after who is making it, so that it may be there.
 */
int  cofl_image_cache_begin(const uint8_t key[COFL_HASH_BYTES], bool wait);

/* Write the file, give it its name, remove the oldest of other files as long
 * as all take more than max_bytes. False: not written. */
bool cofl_image_cache_commit(const uint8_t key[COFL_HASH_BYTES], int fd,
		       const void *bytes, size_t n, uint64_t max_bytes);
void cofl_image_cache_abandon(const uint8_t key[COFL_HASH_BYTES], int fd);

#endif /* COFL_IMAGE_IMAGE_CACHE_H */
