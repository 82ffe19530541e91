/*
 * linked_tail.c - see linked_tail.h
 */
#include "support/linked_tail.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cache_dir.h"

static const char magic[8] = "cof-exe2";

bool cofl_linked_tail_append(const char *path,
			     const uint8_t key[COF_HASH_BYTES],
			     const uint8_t file[COF_HASH_BYTES])
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	struct cofl_linked_tail t;
	struct stat st;
	bool done = false;

	if (fd < 0)
		return false;
	memcpy(t.magic, magic, sizeof(magic));
	memcpy(t.key, key, COF_HASH_BYTES);
	memcpy(t.file, file, COF_HASH_BYTES);
	if (fstat(fd, &st) == 0) {
		t.bytes = (uint64_t)st.st_size;
		done = cofl_cache_dir_write(fd, &t, sizeof(t));
	}
	return close(fd) == 0 && done;
}

bool cofl_linked_tail_read(struct cofl_linked_tail *t, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof(*t) &&
	       pread(fd, t, sizeof(*t), st.st_size - (off_t)sizeof(*t)) ==
	       (ssize_t)sizeof(*t) &&
	       memcmp(t->magic, magic, sizeof(magic)) == 0 &&
	       t->bytes == (uint64_t)st.st_size - sizeof(*t);
}
