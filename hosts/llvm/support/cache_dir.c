/*
 * cache_dir.c - open, name, read, write, lock and trim; see cache_dir.h
 */
#include "support/cache_dir.h"

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
#include <unistd.h>

#include "base/make_dirs.h"
#include "base/root_dir.h"

_Static_assert(COFL_CACHE_DIR_PATH - COFL_CACHE_DIR_NAME >= PATH_MAX, "");

bool cofl_cache_dir_is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() &&
	       (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static char dir_path[PATH_MAX];	/* constant after begin(); "": there is none */

void cofl_cache_dir_begin(void)
{
	const char *base = secure_getenv("XDG_CACHE_HOME"), *in = "/cof";
	int n;

	/* The XDG specification ignores relative paths. */
	if (base == NULL || *base != '/') {
		base = secure_getenv("HOME");
		in = "/.cache/cof";
	}
	if (base == NULL || *base != '/')
		base = in = "";
	cof_root_dir_note();
	n = snprintf(dir_path, sizeof(dir_path), "%s%s", base, in);
	if (n < 0 || (size_t)n >= sizeof(dir_path))
		*dir_path = '\0';
}

int cofl_cache_dir_open(bool make)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (*dir_path == '\0' || !cof_root_dir_is_same())
		return -1;
	if (make)
		cof_make_dirs(strcpy(path, dir_path));
	fd = open(dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) != 0 || !cofl_cache_dir_is_ours(&st))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void cofl_cache_dir_name(const uint8_t key[COF_HASH_BYTES], const char *suffix,
			 char name[COFL_CACHE_DIR_NAME])
{
	for (size_t i = 0; i < COF_HASH_BYTES; i++)
		snprintf(name + 2 * i, 3, "%02x", key[i]);
	memcpy(name + 2 * COF_HASH_BYTES, suffix, COFL_CACHE_DIR_SUFFIX);
}

bool cofl_cache_dir_path(const uint8_t key[COF_HASH_BYTES], const char *suffix,
			 char path[COFL_CACHE_DIR_PATH])
{
	size_t n = strlen(dir_path);

	if (n == 0)
		return false;
	memcpy(path, dir_path, n);
	path[n] = '/';
	cofl_cache_dir_name(key, suffix, path + n + 1);
	return true;
}

/* -- Files ----------------------------------------------------------------- */

void *cofl_cache_dir_read(int fd, size_t *n)
{
	struct stat st;
	size_t got = 0;
	int err = EBADMSG;
	char *p;

	if (fstat(fd, &st) != 0)
		return NULL;
	if (!S_ISREG(st.st_mode) || !cofl_cache_dir_is_ours(&st) ||
	    st.st_size <= 0) {
		errno = EBADMSG;
		return NULL;
	}
	*n = (size_t)st.st_size;
	p = mmap(NULL, *n, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	while (got < *n) {
		ssize_t now = read(fd, p + got, *n - got);

		if (now < 0 && errno == EINTR)
			continue;
		if (now < 0)
			err = errno;
		if (now <= 0)
			break;
		got += (size_t)now;
	}
	if (got == *n)
		return p;
	munmap(p, *n);
	errno = err;
	return NULL;
}

bool cofl_cache_dir_write(int fd, const void *from, size_t n)
{
	const char *bytes = from;

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

/* Is fd still the file of that name? If not, another process has just finished
 * with the file and replaced or removed it. */
static bool is_named(int dir, const char *name, int fd)
{
	struct stat opened, there;

	return fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
	       cofl_cache_dir_is_ours(&opened) &&
	       fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

#define LOCK_TRIES 8	/* each fails if another process replaces the file */

int cofl_cache_dir_lock(int dir, const char *name, bool wait)
{
	for (int i = 0; i < (wait ? LOCK_TRIES : 1); i++) {
		int fd = openat(dir, name, O_RDWR | O_CREAT | O_CLOEXEC |
					   O_NOFOLLOW | O_NONBLOCK, 0600);

		if (fd < 0)
			return -1;
		if (flock(fd, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 &&
		    is_named(dir, name, fd))
			return fd;
		close(fd);
	}
	return -1;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name);

	return length == COFL_CACHE_DIR_NAME - 1 &&
	       strcmp(name + length - 4, suffix) == 0;
}

void cofl_cache_dir_sweep(int dir, const char *suffix)
{
	int listed = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = listed >= 0 ? fdopendir(listed) : NULL;
	struct dirent *e;

	if (d == NULL && listed >= 0)
		close(listed);
	while (d != NULL && (e = readdir(d)) != NULL) {
		int fd = has_suffix(e->d_name, suffix) ?
			 openat(dir, e->d_name, O_RDONLY | O_CLOEXEC |
						O_NOFOLLOW | O_NONBLOCK) : -1;

		if (fd < 0)
			continue;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		    is_named(dir, e->d_name, fd))
			unlinkat(dir, e->d_name, 0);
		close(fd);
	}
	if (d != NULL)
		closedir(d);
}

/* -- Trim ------------------------------------------------------------------ */

struct entry {
	char            name[COFL_CACHE_DIR_NAME];
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

/* Other files do not. */
static bool is_counted(const char *name)
{
	return has_suffix(name, ".ver") || has_suffix(name, ".exe") ||
	       has_suffix(name, ".fin");
}

/* All counted files but `keep`. NULL: there are none, or no memory. */
static struct entry *list_files(int dir, const char *keep, size_t *n,
				 uint64_t *bytes)
{
	struct entry *list = NULL, *more;
	DIR *d = fdopendir(dup(dir));
	struct dirent *e;
	struct stat st;

	*n = 0;
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (!is_counted(e->d_name) || strcmp(e->d_name, keep) == 0 ||
		    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		more = realloc(list, (*n + 1) * sizeof(*list));
		if (more == NULL)
			break;
		list = more;
		memcpy(list[*n].name, e->d_name, COFL_CACHE_DIR_NAME);
		list[*n].used = st.st_mtim;
		list[*n].bytes = (uint64_t)st.st_size;
		*bytes += (uint64_t)st.st_size;
		++*n;
	}
	if (d != NULL)
		closedir(d);
	return list;
}

void cofl_cache_dir_trim(int dir, const char *keep, uint64_t bytes,
			 uint64_t max_bytes)
{
	size_t n;
	struct entry *list = list_files(dir, keep, &n, &bytes);

	if (list == NULL)
		return;
	qsort(list, n, sizeof(*list), by_use);
	for (size_t i = 0; i < n && bytes > max_bytes; i++) {
		unlinkat(dir, list[i].name, 0);
		bytes -= list[i].bytes;
	}
	free(list);
}
