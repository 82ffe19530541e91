/*
 * version_cache_write.c - read, add, write anew
 */
#include "version_cache/version_cache_write.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cache_dir.h"
#include "support/tuning.h"

#define GROWTH_LG   20u		/* it is looked at each time it grew so much */

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

/* -- Anew ------------------------------------------------------------------- */

static bool write_record(int fd, const struct cofl_version_cache_header *h)
{
	return h == NULL || cofl_cache_dir_write(fd, h, h->bytes);
}

/* What counts, in a file that takes the other's place. */
static void write_live(int dir, const uint8_t key[COF_HASH_BYTES],
		       const char *name, const struct cofl_version_cache *shelf)
{
	char beside[COFL_CACHE_DIR_NAME];
	bool done = true;
	int fd;

	/* Only the holder of the other's lock is at it: what is there was left. */
	cofl_cache_dir_name(key, ".new", beside);
	unlinkat(dir, beside, 0);
	fd = openat(dir, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
				 O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	for (uint32_t i = 0; done && i < shelf->n; i++)
		if (cofl_version_cache_stays(shelf, i))
			done = write_record(fd, shelf->entry[i].built) &&
			       write_record(fd, shelf->entry[i].judged);
	if (close(fd) != 0 || !done || renameat(dir, beside, dir, name) != 0)
		unlinkat(dir, beside, 0);
}

/* Under the lock. */
static void tidy(int dir, const uint8_t key[COF_HASH_BYTES], const char *name)
{
	struct cofl_version_cache shelf;
	size_t n = 0;
	void *bytes = read_one(dir, name, &n);

	if (bytes == NULL)
		return;
	if (cofl_version_cache_open(&shelf, bytes, n, key)) {
		if (shelf.live < n / COFL_TUNE(cache_live_part))
			write_live(dir, key, name, &shelf);
		cofl_version_cache_close(&shelf);
	}
	munmap(bytes, n);
}

/* -- Add -------------------------------------------------------------------- */

/* At the end, where the next record may begin. Returns the file's size; 0: it is as
 * it was. */
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
		return 0;	/* then the rest of it is passed over */
	return 0;
}

bool cofl_version_cache_write_add(const uint8_t key[COF_HASH_BYTES],
		       const struct cofl_version_cache_header *record,
		       uint64_t max_bytes, bool wait)
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
		/* Without room, perhaps the next one has some. */
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
