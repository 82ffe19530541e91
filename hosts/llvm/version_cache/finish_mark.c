/*
 * finish_mark.c - see finish_mark.h
 */
#include "version_cache/finish_mark.h"

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

int cofl_finish_mark_lock(const uint8_t key[COF_HASH_BYTES])
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

bool cofl_finish_mark_due(const uint8_t key[COF_HASH_BYTES], uint64_t left)
{
	struct cofl_finish_mark mark = { 0 };
	int fd = cofl_finish_mark_lock(key);
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
