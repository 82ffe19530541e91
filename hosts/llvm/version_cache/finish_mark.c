/*
 * finish_mark.c - see finish_mark.h
 */
#include "version_cache/finish_mark.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "support/cache_dir.h"
#include "support/tuning.h"

bool cofl_finish_mark_next(struct cofl_finish_mark *m, uint32_t left)
{
	uint32_t tries = COFL_TUNE(finish_tries);
	uint32_t most = COFL_TUNE(finish_doublings), shift;

	if (left == 0)
		return false;
	if (m->left == 0 || left < m->left)
		m->in_vain = m->skip = 0;
	if (m->skip > 0) {
		m->skip--;
		return false;
	}
	if (m->left != 0 && left >= m->left)
		m->in_vain++;
	m->left = left;
	shift = m->in_vain > tries ? m->in_vain - tries : 0;
	m->skip = (UINT32_C(1) << (shift < most ? shift : most)) - 1;
	return true;
}

static int lock_it(const uint8_t key[COF_HASH_BYTES])
{
	int dir = cofl_cache_dir_open(true), fd;
	char name[COFL_CACHE_DIR_NAME];

	if (dir < 0)
		return -1;
	cofl_cache_dir_name(key, ".fin", name);
	fd = cofl_cache_dir_lock(dir, name, false);
	close(dir);
	return fd;
}

/* Beside the lock, one of another kind: it can be asked for without being
 * taken. */
int cofl_finish_mark_lock(const uint8_t key[COF_HASH_BYTES])
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = lock_it(key);

	if (fd >= 0)
		(void)fcntl(fd, F_OFD_SETLK, &all);
	return fd;
}

bool cofl_finish_mark_is_held(const uint8_t key[COF_HASH_BYTES])
{
	struct flock all = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int dir = cofl_cache_dir_open(false), fd;
	char name[COFL_CACHE_DIR_NAME];
	bool held;

	if (dir < 0)
		return false;
	cofl_cache_dir_name(key, ".fin", name);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	close(dir);
	if (fd < 0)
		return false;
	held = fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
	close(fd);
	return held;
}

bool cofl_finish_mark_due(const uint8_t key[COF_HASH_BYTES], uint64_t left)
{
	struct cofl_finish_mark mark = { 0 };
	int fd = lock_it(key);
	bool due;

	if (fd < 0)
		return false;
	if (pread(fd, &mark, sizeof(mark), 0) != sizeof(mark))
		memset(&mark, 0, sizeof(mark));
	due = cofl_finish_mark_next(&mark, left < UINT32_MAX ? (uint32_t)left :
							       UINT32_MAX);
	due = pwrite(fd, &mark, sizeof(mark), 0) == sizeof(mark) && due;
	close(fd);
	return due;
}
