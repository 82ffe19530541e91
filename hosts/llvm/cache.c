/*
 * cache.c - find, write, trim; see cache.h
 */
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_BYTES (2 * COFL_HASH_BYTES + sizeof(".img"))

/* Ours alone to write. */
static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The folder's path. False: it has none. */
static bool folder_path(char path[PATH_MAX])
{
	const char *base = getenv("XDG_CACHE_HOME"), *in = "/cof";
	int n;

	/* The specification has it that a relative path is none. */
	if (base == NULL || *base != '/') {
		base = getenv("HOME");
		in = "/.cache/cof";
	}
	if (base == NULL || *base != '/')
		return false;
	n = snprintf(path, PATH_MAX, "%s%s", base, in);
	return n > 0 && n < PATH_MAX;
}

/* The folders of the path that are not there, the user's alone. */
static void make_folders(char *path)
{
	for (char *at = strchr(path + 1, '/');; at = strchr(at + 1, '/')) {
		if (at != NULL)
			*at = '\0';
		mkdir(path, 0700);	/* whether it worked is seen later */
		if (at == NULL)
			return;
		*at = '/';
	}
}

/* The folder, open; -1: none, or not to be trusted. */
static int open_folder(bool make)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (!folder_path(path))
		return -1;
	if (make)
		make_folders(path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) != 0 || !is_ours(&st))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void name_of(const uint8_t key[COFL_HASH_BYTES], const char *suffix,
		    char name[NAME_BYTES])
{
	for (size_t i = 0; i < COFL_HASH_BYTES; i++)
		snprintf(name + 2 * i, 3, "%02x", key[i]);
	memcpy(name + 2 * COFL_HASH_BYTES, suffix, sizeof(".img"));
}

/* -- Find ------------------------------------------------------------------- */

/* Read and not mapped: what was checked must not change afterwards. */
static void *read_file(int fd, size_t *n)
{
	struct stat st;
	size_t got = 0;
	char *p;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !is_ours(&st) ||
	    st.st_size <= 0)
		return NULL;
	*n = (size_t)st.st_size;
	p = mmap(NULL, *n, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	while (got < *n) {
		ssize_t now = read(fd, p + got, *n - got);

		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			break;
		got += (size_t)now;
	}
	if (got == *n)
		return p;
	munmap(p, *n);
	return NULL;
}

bool cofl_cache_find(const uint8_t key[COFL_HASH_BYTES],
		     struct cofl_image *image)
{
	int dir = open_folder(false), fd;
	char name[NAME_BYTES];
	bool found = false;
	size_t n;
	void *p;

	*image = (struct cofl_image){ 0 };
	if (dir < 0)
		return false;
	name_of(key, ".img", name);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		p = read_file(fd, &n);
		found = p != NULL && cofl_image_open(image, p, n, key);
		if (found) {
			futimens(fd, NULL);
		} else {
			if (p != NULL)
				munmap(p, n);
			unlinkat(dir, name, 0);
		}
		close(fd);
	}
	close(dir);
	return found;
}

void cofl_cache_close(struct cofl_image *image)
{
	if (image->bytes != NULL)
		munmap((void *)(uintptr_t)image->bytes, image->n_bytes);
	*image = (struct cofl_image){ 0 };
}

bool cofl_cache_has(const uint8_t key[COFL_HASH_BYTES])
{
	char path[PATH_MAX + NAME_BYTES + 1];
	size_t n;

	if (!folder_path(path))
		return false;
	n = strlen(path);
	path[n] = '/';
	name_of(key, ".img", path + n + 1);
	return access(path, F_OK) == 0;
}

/* -- Failures --------------------------------------------------------------- */

#define REMEMBERED_S (24 * 60 * 60)

void cofl_cache_note(const uint8_t key[COFL_HASH_BYTES], bool tries)
{
	int dir = open_folder(false), fd;
	char name[NAME_BYTES];

	if (dir < 0)
		return;
	name_of(key, ".not", name);
	unlinkat(dir, name, 0);		/* its date is when it was made */
	if (tries) {
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    0600);
		if (fd >= 0)
			close(fd);
	}
	close(dir);
}

/* Whoever is at it has the file locked. */
static bool somebody_is_at_it(int dir, const uint8_t key[COFL_HASH_BYTES])
{
	char name[NAME_BYTES];
	bool locked;
	int fd;

	name_of(key, ".tmp", name);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
	close(fd);
	return locked;
}

bool cofl_cache_failed(const uint8_t key[COFL_HASH_BYTES])
{
	int dir = open_folder(false);
	char name[NAME_BYTES];
	struct stat st;
	bool failed;

	if (dir < 0)
		return false;
	name_of(key, ".not", name);
	failed = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		 time(NULL) - st.st_mtime < REMEMBERED_S &&
		 !somebody_is_at_it(dir, key);
	close(dir);
	return failed;
}

/* -- Make ------------------------------------------------------------------- */

int cofl_cache_begin(const uint8_t key[COFL_HASH_BYTES])
{
	int dir = open_folder(true), fd;
	struct stat opened, there;
	char name[NAME_BYTES];

	if (dir < 0)
		return -1;
	name_of(key, ".tmp", name);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
			       O_NONBLOCK, 0600);
	/* Locked, and still what the name means: else somebody is at it, or has
	 * just finished. */
	if (fd >= 0 &&
	    (flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &opened) != 0 ||
	     !S_ISREG(opened.st_mode) || !is_ours(&opened) ||
	     fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) != 0 ||
	     opened.st_ino != there.st_ino || opened.st_dev != there.st_dev)) {
		close(fd);
		fd = -1;
	}
	close(dir);
	return fd;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		n -= (size_t)done;
	}
	return true;
}

struct entry {
	char            name[NAME_BYTES];
	struct timespec used;
	uint64_t        bytes;
};

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct entry *)a)->used;
	const struct timespec *y = &((const struct entry *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* All images but `keep`. NULL: no memory, or none. */
static struct entry *list_images(int dir, const char *keep, size_t *n,
				 uint64_t *bytes)
{
	struct entry *list = NULL, *more;
	DIR *d = fdopendir(dup(dir));
	struct dirent *e;
	struct stat st;

	*n = 0;
	while (d != NULL && (e = readdir(d)) != NULL) {
		size_t length = strlen(e->d_name);

		if (length != NAME_BYTES - 1 || strcmp(e->d_name, keep) == 0 ||
		    strcmp(e->d_name + length - 4, ".img") != 0 ||
		    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		more = realloc(list, (*n + 1) * sizeof(*list));
		if (more == NULL)
			break;
		list = more;
		memcpy(list[*n].name, e->d_name, NAME_BYTES);
		list[*n].used = st.st_mtim;
		list[*n].bytes = (uint64_t)st.st_size;
		*bytes += (uint64_t)st.st_size;
		++*n;
	}
	if (d != NULL)
		closedir(d);
	return list;
}

static void trim(int dir, const char *keep, uint64_t bytes, uint64_t max_bytes)
{
	size_t n;
	struct entry *list = list_images(dir, keep, &n, &bytes);

	if (list != NULL)
		qsort(list, n, sizeof(*list), by_use);
	for (size_t i = 0; i < n && bytes > max_bytes; i++) {
		unlinkat(dir, list[i].name, 0);
		bytes -= list[i].bytes;
	}
	free(list);
}

bool cofl_cache_commit(const uint8_t key[COFL_HASH_BYTES], int fd,
		       const void *bytes, size_t n, uint64_t max_bytes)
{
	char from[NAME_BYTES], to[NAME_BYTES];
	int dir = open_folder(false);
	bool done;

	name_of(key, ".tmp", from);
	name_of(key, ".img", to);
	done = dir >= 0 && n <= max_bytes && ftruncate(fd, 0) == 0 &&
	       write_all(fd, bytes, n) && fsync(fd) == 0 &&
	       renameat(dir, from, dir, to) == 0;
	if (dir >= 0) {
		if (done)
			trim(dir, to, n, max_bytes);
		close(dir);
	}
	if (done)
		close(fd);
	else
		cofl_cache_abandon(key, fd);
	return done;
}

void cofl_cache_abandon(const uint8_t key[COFL_HASH_BYTES], int fd)
{
	int dir = open_folder(false);
	char name[NAME_BYTES];

	name_of(key, ".tmp", name);
	if (dir >= 0) {
		unlinkat(dir, name, 0);
		close(dir);
	}
	close(fd);
}
