/*
 * linked_cache.c - find, wait and store; see linked_cache.h
 *
 * Its tail says whether a file is whole (support/linked_tail.h).
 */
#include "linked_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "support/cache_dir.h"
#include "support/linked_tail.h"
#include "support/tuning.h"

#define POLL_NS 10000000	/* a process links for a tenth of a second */
#define TRIES   8u		/* each fails if another replaces the file */

/* -- Find ------------------------------------------------------------------ */

static bool is_whole(int fd, const uint8_t key[COF_HASH_BYTES])
{
	struct stat st;
	struct cofl_linked_tail t;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       cofl_cache_dir_is_ours(&st) &&
	       cofl_linked_tail_read(&t, fd) &&
	       memcmp(t.key, key, COF_HASH_BYTES) == 0;
}

static int find_in(int dir, const uint8_t key[COF_HASH_BYTES])
{
	char name[COFL_CACHE_DIR_NAME];
	int fd;

	cofl_cache_dir_name(key, ".exe", name);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (is_whole(fd, key)) {
		futimens(fd, NULL);
		return fd;
	}
	close(fd);
	unlinkat(dir, name, 0);
	return -1;
}

int linked_cache_find(const uint8_t key[COF_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(false), fd = -1;

	if (dir >= 0) {
		fd = find_in(dir, key);
		close(dir);
	}
	return fd;
}

/* -- Wait ------------------------------------------------------------------ */

int linked_cache_wait(const uint8_t key[COF_HASH_BYTES], int *lock)
{
	const struct timespec moment = { .tv_nsec = POLL_NS };
	int dir = cofl_cache_dir_open(true), fd = -1;
	char name[COFL_CACHE_DIR_NAME];
	uint64_t until_ns = cof_clock_ns() + COFL_TUNE(link_s) * COF_S_NS;
	unsigned failures = 0;

	*lock = -1;
	if (dir < 0)
		return -1;
	cofl_cache_dir_name(key, ".tmp", name);
	/* A process that links may have been stopped: it is left to that. */
	while (*lock < 0 && failures < TRIES && cof_clock_ns() < until_ns &&
	       (fd = find_in(dir, key)) < 0) {
		*lock = cofl_cache_dir_lock(dir, name, false);
		if (*lock < 0) {
			failures += errno != EWOULDBLOCK;
			nanosleep(&moment, NULL);
		}
	}
	if (*lock >= 0) {
		/* It may have been made before the lock was there. */
		fd = find_in(dir, key);
		cofl_cache_dir_sweep(dir, ".tmp");
	}
	close(dir);
	if (fd >= 0)
		linked_cache_leave(key, *lock);
	return fd;
}

void linked_cache_leave(const uint8_t key[COF_HASH_BYTES], int lock)
{
	int dir = lock >= 0 ? cofl_cache_dir_open(false) : -1;
	char name[COFL_CACHE_DIR_NAME];

	if (dir >= 0) {
		cofl_cache_dir_name(key, ".tmp", name);
		unlinkat(dir, name, 0);
		close(dir);
	}
	if (lock >= 0)
		close(lock);
}

/* -- Store ----------------------------------------------------------------- */

/* All of `from`, which is then `*bytes` long. */
static bool copy(int to, int from, uint64_t *bytes)
{
	static char buffer[1 << 16];
	ssize_t n;

	*bytes = 0;
	while ((n = pread(from, buffer, sizeof(buffer), (off_t)*bytes)) > 0) {
		if (!cofl_cache_dir_write(to, buffer, (size_t)n))
			return false;
		*bytes += (uint64_t)n;
	}
	return n == 0;
}

static bool write_all(int to, int from, uint64_t *bytes)
{
	return copy(to, from, bytes) && *bytes <= COFL_CACHE_DIR_MOST &&
	       fsync(to) == 0;
}

int linked_cache_store(const uint8_t key[COF_HASH_BYTES], int from)
{
	char beside[COFL_CACHE_DIR_NAME], name[COFL_CACHE_DIR_NAME];
	int dir = cofl_cache_dir_open(false), to, fd = -1;
	uint64_t bytes;
	bool done;

	if (dir < 0)
		return -1;
	cofl_cache_dir_name(key, ".new", beside);
	cofl_cache_dir_name(key, ".exe", name);
	unlinkat(dir, beside, 0);	/* of a process that died */
	to = openat(dir, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
				 O_NOFOLLOW, 0700);
	if (to >= 0) {
		done = write_all(to, from, &bytes);
		done = close(to) == 0 && done &&
		       renameat(dir, beside, dir, name) == 0;
		if (done) {
			cofl_cache_dir_trim(dir, name, bytes,
					    COFL_CACHE_DIR_MOST);
			fd = find_in(dir, key);
		} else {
			unlinkat(dir, beside, 0);
		}
	}
	close(dir);
	return fd;
}
