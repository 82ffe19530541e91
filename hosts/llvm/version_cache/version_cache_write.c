/*
 * version_cache_write.c - read, add and rewrite; see version_cache_write.h
 */
#include "version_cache/version_cache_write.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cache_dir.h"
#include "support/tuning.h"

#define GROWTH_LG   20u		/* growth, after which the file is tidied */

static void *read_one(int dir, const char *name, size_t *n)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
				   O_NONBLOCK);
	void *bytes = NULL;

	if (fd < 0)
		return NULL;
	bytes = cofl_cache_dir_read(fd, n);
	if (bytes != NULL)
		futimens(fd, NULL);
	close(fd);
	return bytes;
}

void *cofl_version_cache_read(const uint8_t key[COF_HASH_BYTES], size_t *n)
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];
	void *bytes;

	if (dir < 0)
		return NULL;
	cofl_cache_dir_name(key, ".ver", name);
	bytes = read_one(dir, name, n);
	close(dir);
	return bytes;
}

uint64_t cofl_version_cache_length(const uint8_t key[COF_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];
	struct stat st;
	bool found;

	if (dir < 0)
		return 0;
	cofl_cache_dir_name(key, ".ver", name);
	found = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	close(dir);
	return found ? (uint64_t)st.st_size : 0;
}

bool cofl_version_cache_exists(const uint8_t key[COF_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];
	bool exists;

	if (dir < 0)
		return false;
	cofl_cache_dir_name(key, ".ver", name);
	exists = faccessat(dir, name, R_OK, 0) == 0;
	close(dir);
	return exists;
}

/* -- Rewrite --------------------------------------------------------------- */

static bool write_record(int fd, const struct cofl_version_cache_header *h)
{
	return h == NULL || cofl_cache_dir_write(fd, h, h->bytes);
}

/* Write what counts to a new file, which replaces the old one. */
static void write_live(int dir, const uint8_t key[COF_HASH_BYTES],
		       const char *name, const struct cofl_version_cache *cache)
{
	char beside[COFL_CACHE_DIR_NAME];
	bool done = true;
	int fd;

	/* The lock on the old file guards this one too: a file that is there
	 * was left by a process that died. */
	cofl_cache_dir_name(key, ".new", beside);
	unlinkat(dir, beside, 0);
	fd = openat(dir, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
				 O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	for (uint32_t i = 0; done && i < cache->n; i++)
		if (cofl_version_cache_is_live(cache, i))
			done = write_record(fd, cache->entry[i].built) &&
			       write_record(fd, cache->entry[i].verdict);
	if (close(fd) != 0 || !done || renameat(dir, beside, dir, name) != 0)
		unlinkat(dir, beside, 0);
}

/* Under the lock. */
static void tidy(int dir, const uint8_t key[COF_HASH_BYTES], const char *name)
{
	struct cofl_version_cache cache;
	size_t n = 0;
	void *bytes = read_one(dir, name, &n);

	if (bytes == NULL)
		return;
	if (cofl_version_cache_open(&cache, bytes, n, key)) {
		if (cache.live < n / COFL_TUNE(cache_live_part))
			write_live(dir, key, name, &cache);
		cofl_version_cache_close(&cache);
	}
	munmap(bytes, n);
}

/* -- Add ------------------------------------------------------------------- */

/* Write the record at the next multiple of COFL_VERSION_CACHE_ALIGN. Returns
 * the file's new size; 0: the file is as it was. */
static uint64_t append(int fd, const struct cofl_version_cache_header *record,
		       uint64_t most)
{
	struct stat st;
	uint64_t at;

	if (fstat(fd, &st) != 0)
		return 0;
	at = ((uint64_t)st.st_size + COFL_VERSION_CACHE_ALIGN - 1) &
	     ~(uint64_t)(COFL_VERSION_CACHE_ALIGN - 1);
	if (at + record->bytes > most ||
	    lseek(fd, (off_t)at, SEEK_SET) < 0)
		return 0;
	if (cofl_cache_dir_write(fd, record, record->bytes))
		return at + record->bytes;
	if (ftruncate(fd, st.st_size) != 0)
		return 0;	/* readers skip the incomplete record */
	return 0;
}

bool cofl_version_cache_write_add(
	const uint8_t key[COF_HASH_BYTES],
	const struct cofl_version_cache_header *record, uint64_t max_bytes,
	bool wait)
{
	int dir = cofl_cache_dir_open(true), fd;
	char name[COFL_CACHE_DIR_NAME];
	uint64_t n = 0;

	if (dir < 0)
		return false;
	cofl_cache_dir_name(key, ".ver", name);
	fd = cofl_cache_dir_lock(dir, name, wait);
	if (fd >= 0) {
		n = append(fd, record,
			   max_bytes / COFL_TUNE(cache_folder_part));
		/* The file may be full: make room for the next record. */
		if (n == 0 ||
		    n >> GROWTH_LG != (n - record->bytes) >> GROWTH_LG)
			tidy(dir, key, name);
		if (n != 0)
			cofl_cache_dir_trim(dir, name, n, max_bytes);
		close(fd);
	}
	close(dir);
	return n != 0;
}
