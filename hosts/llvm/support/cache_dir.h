/*
 * cache_dir.h - the user's cache directory: files named by key
 *
 * The directory is $XDG_CACHE_HOME/cof, else ~/.cache/cof.
 *
 *	KEY.ver  versions built in earlier runs (version_cache/version_cache.h)
 *	KEY.exe  a file of bitcode, linked (runtime/linked_cache.h)
 *	KEY.fin  what is to be finished (version_cache/finish_mark.h)
 *
 * Code from these files runs. So a file is trusted only if it and the directory
 * belong to the user and nobody else can write to them. Each use renews a
 * file's date. When the files take too many bytes, the least recently used one
 * goes first.
 *
 * Thread: any, after begin(). All others block on file I/O.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct stat;

#define COFL_CACHE_DIR_SUFFIX sizeof(".ver")
#define COFL_CACHE_DIR_NAME   (2 * COF_HASH_BYTES + COFL_CACHE_DIR_SUFFIX)
#define COFL_CACHE_DIR_PATH   (4096 + COFL_CACHE_DIR_NAME)

/* What its files may take, if nobody says otherwise. */
#define COFL_CACHE_DIR_MOST (UINT64_C(1) << 30)

/* Find the directory in the environment. Once, at the start of the process: the
 * program may change the environment, and servers do. */
void cofl_cache_dir_begin(void);

/* Open the directory, and create it if `make`. The caller closes the
 * descriptor. -1: there is none, it is not trusted, or the process has another
 * root directory than at the start. */
int  cofl_cache_dir_open(bool make);

/* The name of a key's file; `suffix` is a dot and three letters. */
void cofl_cache_dir_name(const uint8_t key[COF_HASH_BYTES], const char *suffix,
			 char name[COFL_CACHE_DIR_NAME]);

/* The same with the directory's path. False: there is no directory. */
bool cofl_cache_dir_path(const uint8_t key[COF_HASH_BYTES], const char *suffix,
			 char path[COFL_CACHE_DIR_PATH]);

/* Does the user own it, and can nobody else write to it? */
bool cofl_cache_dir_is_ours(const struct stat *st);

/* A copy of the whole file, for the caller to munmap(2). It is read and not
 * mapped, since what was checked must not change afterwards. NULL, with errno
 * EBADMSG: the file is not trusted, is empty or ends too soon; else it may be
 * whole, and could not be read now. */
void *cofl_cache_dir_read(int fd, size_t *n);

/* False: not all of it was written. */
bool cofl_cache_dir_write(int fd, const void *bytes, size_t n);

/*
 * Open a file for writing, create it if need be, and lock it with flock(2). The
 * caller closes the descriptor. -1: another process holds the lock and `wait`
 * is false, or the file cannot be opened or is not trusted.
 */
int  cofl_cache_dir_lock(int dir, const char *name, bool wait);

/* Remove the files with this suffix that no process has locked: their makers
 * were killed. */
void cofl_cache_dir_sweep(int dir, const char *suffix);

/* Remove the least recently used files while all of them together take more
 * than max_bytes. `keep` stays, and counts as `bytes`. */
void cofl_cache_dir_trim(int dir, const char *keep, uint64_t bytes,
			 uint64_t max_bytes);
