/*
 * image_cache.h - images in the cache directory (support/cache_dir.h)
 *
 *	KEY.img		an image; complete as soon as it has this name
 *	KEY.tmp		while it is written, locked by the writer
 *	KEY.not		compiling failed, or is being tried
 *	KEY.run		a run has begun; its bitcode is not damaged
 *
 * Errors are not reported: without a cache the program runs all the same.
 *
 * Thread: any. All functions block on file I/O.
 */
#pragma once

#include <stdbool.h>

#include "image/image.h"

/*
 * Read the image, for the caller to close. False: there is none that is whole
 * and the user's. A damaged one is removed, but not one that could not be read:
 * an I/O error, or no memory.
 */
bool cofl_image_cache_find(const uint8_t key[COFL_HASH_BYTES],
			   struct cofl_image *image);
void cofl_image_cache_close(struct cofl_image *image);

/* Is there a file, whole or not? Cheap, for polling. */
bool cofl_image_cache_has(const uint8_t key[COFL_HASH_BYTES]);

/*
 * A failure to compile is remembered for a day, so that not each run tries
 * again. The maker notes that it tries before it compiles, and afterwards what
 * came of it. If it was killed, it is not known whether it would have failed:
 * that is a failure when it happened three times. failed(): it failed, and no
 * process is making the image now.
 */
enum cofl_image_note { COFL_IMAGE_TRIES, COFL_IMAGE_FAILED, COFL_IMAGE_MADE };

void cofl_image_cache_note(const uint8_t key[COFL_HASH_BYTES],
			   enum cofl_image_note note);
bool cofl_image_cache_failed(const uint8_t key[COFL_HASH_BYTES]);

/* The note KEY.run. Creates the directory. */
bool cofl_image_cache_has_run(const uint8_t key[COFL_HASH_BYTES]);
void cofl_image_cache_note_run(const uint8_t key[COFL_HASH_BYTES]);

/*
 * Begin to make an image; creates the directory. Returns a descriptor of the
 * locked file to write, for commit() or abandon(). With `wait`, waits for
 * another process that is making it, so the image may be there then. -1:
 * another process is making it, or the cache cannot be written.
 */
int  cofl_image_cache_begin(const uint8_t key[COFL_HASH_BYTES], bool wait);

/* Write the file and give it its name. Then remove the least recently used
 * other files while all take more than max_bytes. False: it was not written.
 * Closes fd. */
bool cofl_image_cache_commit(const uint8_t key[COFL_HASH_BYTES], int fd,
			     const void *bytes, size_t n, uint64_t max_bytes);
void cofl_image_cache_abandon(const uint8_t key[COFL_HASH_BYTES], int fd);
