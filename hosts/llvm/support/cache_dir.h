/*
 * cache_dir.h - the user's folder of files known by key: $XDG_CACHE_HOME/cof, else
 * ~/.cache/cof
 *
 *	KEY.img  a program's image (image/image_cache.h)
 *	KEY.ver  versions built in earlier runs (version_cache/version_cache.h)
 *
 * A file is believed only if it and the folder are the user's own and nobody else
 * can write them: what is in it runs. How often files are used is seen by their
 * dates, which each use renews; the one not used for longest goes first when there
 * are too many bytes.
 *
 * Thread: any.
 */
#ifndef COFL_SUPPORT_CACHE_DIR_H
#define COFL_SUPPORT_CACHE_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct stat;

#define COFL_CACHE_DIR_SUFFIX sizeof(".img")
#define COFL_CACHE_DIR_NAME   (2 * COF_HASH_BYTES + COFL_CACHE_DIR_SUFFIX)
#define COFL_CACHE_DIR_PATH   (4096 + COFL_CACHE_DIR_NAME)

/* Open; the caller's to close. -1: none, or not to be trusted. */
int  cofl_cache_dir_open(bool make);

/* A name in it; `suffix` is a dot and three letters. */
void cofl_cache_dir_name(const uint8_t key[COF_HASH_BYTES], const char *suffix,
		      char name[COFL_CACHE_DIR_NAME]);

/* The same with the folder's path. False: there is none. */
bool cofl_cache_dir_path(const uint8_t key[COF_HASH_BYTES], const char *suffix,
		      char path[COFL_CACHE_DIR_PATH]);

/* Ours alone to write. */
bool cofl_cache_dir_is_ours(const struct stat *st);

/* All of a file, in memory to be given back with munmap(2): read and not mapped,
 * since what was checked must not change afterwards. NULL: not to be trusted, empty,
 * or not to be read. */
void *cofl_cache_dir_read(int fd, size_t *n);

bool cofl_cache_dir_write(int fd, const void *bytes, size_t n);

/*
 * Open a file to write, made if it is not there, and lock it. -1: somebody else
 * has it, and `wait` is false; or it cannot be, or is not to be trusted.
 */
int  cofl_cache_dir_lock(int dir, const char *name, bool wait);

/* As long as all files and `bytes` take more than max_bytes remove the oldest, but
 * never `keep`, of so many bytes. */
void cofl_cache_dir_trim(int dir, const char *keep, uint64_t bytes,
		      uint64_t max_bytes);

#endif /* COFL_SUPPORT_CACHE_DIR_H */
