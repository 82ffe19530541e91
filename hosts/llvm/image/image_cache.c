/*
 * image_cache.c - find, note and write; see image_cache.h
 */
#include "image/image_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/cache_dir.h"

/* -- Find ------------------------------------------------------------------ */

/* Is the file not worth reading? `errno` as of cofl_cache_dir_read(). */
static bool is_other(int fd, const uint8_t key[COFL_HASH_BYTES])
{
	struct cofl_image_header head;
	struct stat st;
	ssize_t n = fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ? 0 :
		    pread(fd, &head, sizeof(head), 0);

	if (n < 0)
		return true;
	errno = EBADMSG;
	return !cofl_image_may_be(&head, (size_t)n, (uint64_t)st.st_size, key);
}

/* All of it, checked. False: errno EBADMSG if the file is to go. */
static bool read_image(int fd, const uint8_t key[COFL_HASH_BYTES],
		       struct cofl_image *image)
{
	size_t n;
	void *p;

	if (is_other(fd, key))
		return false;
	p = cofl_cache_dir_read(fd, &n);
	if (p == NULL)
		return false;
	if (cofl_image_open(image, p, n, key))
		return true;
	munmap(p, n);
	errno = EBADMSG;
	return false;
}

bool cofl_image_cache_find(const uint8_t key[COFL_HASH_BYTES],
			   struct cofl_image *image)
{
	int dir = cofl_cache_dir_open(false), fd;
	char name[COFL_CACHE_DIR_NAME];
	bool found = false;

	*image = (struct cofl_image){ 0 };
	if (dir < 0)
		return false;
	cofl_cache_dir_name(key, ".img", name);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		found = read_image(fd, key, image);
		if (found)
			futimens(fd, NULL);
		else if (errno == EBADMSG)
			unlinkat(dir, name, 0);
		close(fd);
	}
	close(dir);
	return found;
}

void cofl_image_cache_close(struct cofl_image *image)
{
	if (image->bytes != NULL)
		munmap((void *)(uintptr_t)image->bytes, image->n_bytes);
	*image = (struct cofl_image){ 0 };
}

bool cofl_image_cache_has(const uint8_t key[COFL_HASH_BYTES])
{
	char path[COFL_CACHE_DIR_PATH];

	if (!cofl_cache_dir_path(key, ".img", path))
		return false;
	return access(path, F_OK) == 0;
}

/* -- Failures -------------------------------------------------------------- */

#define REMEMBERED_S (24 * 60 * 60)
#define TRIES        3	/* that began and did not end */

static bool is_recent(const struct stat *st)
{
	return time(NULL) - st->st_mtime < REMEMBERED_S;
}

/* The file has a byte for each try that began. Empty: it failed. */
static void write_note(int dir, const char *name, unsigned tries)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0600);

	if (fd < 0)
		return;
	if (ftruncate(fd, tries) != 0)
		unlinkat(dir, name, 0);
	close(fd);
}

void cofl_image_cache_note(const uint8_t key[COFL_HASH_BYTES],
			   enum cofl_image_note note)
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];
	unsigned tries = 0;
	struct stat st;

	if (dir < 0)
		return;
	cofl_cache_dir_name(key, ".not", name);
	if (note == COFL_IMAGE_TRIES)
		tries = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			is_recent(&st) && st.st_size < TRIES ?
			(unsigned)st.st_size + 1 : 1;
	unlinkat(dir, name, 0);		/* its date must be new */
	if (note != COFL_IMAGE_MADE)
		write_note(dir, name, tries);
	close(dir);
}

/* The maker has the file locked. */
static bool is_being_made(int dir, const uint8_t key[COFL_HASH_BYTES])
{
	char name[COFL_CACHE_DIR_NAME];
	bool locked;
	int fd;

	cofl_cache_dir_name(key, ".tmp", name);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
	close(fd);
	return locked;
}

bool cofl_image_cache_failed(const uint8_t key[COFL_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];
	struct stat st;
	bool failed;

	if (dir < 0)
		return false;
	cofl_cache_dir_name(key, ".not", name);
	failed = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		 is_recent(&st) && (st.st_size == 0 || st.st_size >= TRIES) &&
		 !is_being_made(dir, key);
	close(dir);
	return failed;
}

/* -- Runs ------------------------------------------------------------------ */

bool cofl_image_cache_has_run(const uint8_t key[COFL_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];
	struct stat st;
	bool found;

	if (dir < 0)
		return false;
	cofl_cache_dir_name(key, ".run", name);
	found = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		cofl_cache_dir_is_ours(&st);
	close(dir);
	return found;
}

void cofl_image_cache_note_run(const uint8_t key[COFL_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(true), fd;
	char name[COFL_CACHE_DIR_NAME];

	if (dir < 0)
		return;
	cofl_cache_dir_name(key, ".run", name);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		    0600);
	if (fd >= 0)
		close(fd);
	close(dir);
}

/* -- Make ------------------------------------------------------------------ */

int cofl_image_cache_begin(const uint8_t key[COFL_HASH_BYTES], bool wait)
{
	int dir = cofl_cache_dir_open(true), fd;
	char name[COFL_CACHE_DIR_NAME];

	if (dir < 0)
		return -1;
	cofl_cache_dir_name(key, ".tmp", name);
	fd = cofl_cache_dir_lock(dir, name, wait);
	cofl_cache_dir_sweep(dir, ".tmp");
	close(dir);
	return fd;
}

bool cofl_image_cache_commit(const uint8_t key[COFL_HASH_BYTES], int fd,
			     const void *bytes, size_t n, uint64_t max_bytes)
{
	char from[COFL_CACHE_DIR_NAME], to[COFL_CACHE_DIR_NAME];
	int dir = cofl_cache_dir_open(false);
	bool done;

	cofl_cache_dir_name(key, ".tmp", from);
	cofl_cache_dir_name(key, ".img", to);
	done = dir >= 0 && n <= max_bytes && ftruncate(fd, 0) == 0 &&
	       cofl_cache_dir_write(fd, bytes, n) && fsync(fd) == 0 &&
	       renameat(dir, from, dir, to) == 0;
	if (dir >= 0) {
		if (done)
			cofl_cache_dir_trim(dir, to, n, max_bytes);
		close(dir);
	}
	if (done)
		close(fd);
	else
		cofl_image_cache_abandon(key, fd);
	return done;
}

void cofl_image_cache_abandon(const uint8_t key[COFL_HASH_BYTES], int fd)
{
	int dir = cofl_cache_dir_open(false);
	char name[COFL_CACHE_DIR_NAME];

	cofl_cache_dir_name(key, ".tmp", name);
	if (dir >= 0) {
		unlinkat(dir, name, 0);
		close(dir);
	}
	close(fd);
}
