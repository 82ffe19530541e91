/*
 * bitcode.c - read, look into the cache, have it linked; see bitcode.h
 */
#include "bitcode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "bitcode_link.h"
#include "linked_cache.h"
#include "bitcode_triple.h"
#include "support/cache_dir.h"
#include "version_cache/code_key.h"

#define WHY_BYTES 400

struct file {
	char  *bytes;
	size_t n;
};

bool bitcode_is(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[4];
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	     bitcode_triple_begins(magic, sizeof(magic));
	close(fd);
	return is;
}

/* All of it at one time, since what is hashed is what is linked. */
static bool read_all(struct file *f, int fd)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) != 0)
		return false;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return false;
	}
	*f = (struct file){ .bytes = malloc((size_t)st.st_size + 1) };
	while (f->bytes != NULL && f->n < (size_t)st.st_size) {
		got = read(fd, f->bytes + f->n, (size_t)st.st_size - f->n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			break;
		f->n += (size_t)got;
	}
	return f->bytes != NULL;
}

static bool read_file(struct file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool done = fd >= 0 && read_all(f, fd);
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return done;
}

/* Is it for this machine? That it does not say so is no reason. */
static bool is_for_us(const struct file *f, char why[WHY_BYTES])
{
	char triple[BITCODE_TRIPLE_BYTES];

	if (!bitcode_triple_read(f->bytes, f->n, triple) ||
	    (strncmp(triple, "x86_64-", 7) == 0 &&
	     strstr(triple, "linux") != NULL &&
	     strstr(triple, "gnux32") == NULL))
		return true;
	snprintf(why, WHY_BYTES, "it is for another machine: %s", triple);
	return false;
}

static void make_key(const struct file *f, const char *loads,
		     uint8_t key[COF_HASH_BYTES])
{
	static const char what[] = "executable";
	uint8_t hash[COF_HASH_BYTES];
	struct cof_hash h;

	cof_hash_init(&h);
	cof_hash_add(&h, what, sizeof(what));
	cof_hash_add(&h, loads, strlen(loads) + 1);
	cof_hash_add(&h, f->bytes, f->n);
	cof_hash_end(&h, hash);
	cofl_code_key(hash, key);
}

/* Nobody else links it meanwhile, if there is a cache. */
static int link_and_keep(const struct file *f, const char *loads,
			 const uint8_t key[COF_HASH_BYTES], char why[WHY_BYTES])
{
	uint8_t hash[COF_HASH_BYTES];
	int lock = -1, made, kept = -1;

	made = linked_cache_wait(key, &lock);
	if (made >= 0)
		return made;
	cof_hash(f->bytes, f->n, hash);
	made = bitcode_link(f->bytes, f->n, loads, key, hash, why, WHY_BYTES);
	if (made >= 0 && lock >= 0)
		kept = linked_cache_store(key, made);
	linked_cache_leave(key, lock);
	if (kept < 0)
		return made;
	close(made);
	return kept;
}

int bitcode_open(const char *file, const char *loads)
{
	uint8_t key[COF_HASH_BYTES];
	char why[WHY_BYTES] = "";
	struct file f = { NULL, 0 };
	int fd = -1;

	if (!read_file(&f, file)) {
		snprintf(why, sizeof(why), "%s", strerror(errno));
	} else if (is_for_us(&f, why)) {
		make_key(&f, loads, key);
		cofl_cache_dir_begin();
		fd = linked_cache_find(key);
		if (fd < 0)
			fd = link_and_keep(&f, loads, key, why);
	}
	free(f.bytes);
	if (fd < 0)
		fprintf(stderr, "runtime: %s: %s\n", file, why);
	return fd;
}
