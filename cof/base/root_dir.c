/*
 * root_dir.c - see root_dir.h
 */
#include "base/root_dir.h"

#include <stdatomic.h>
#include <sys/stat.h>

static struct stat root;	/* written before `is_noted` */

enum { NO, WRITING, YES };

static _Atomic int is_noted;

void cof_root_dir_note(void)
{
	int no = NO;

	if (!atomic_compare_exchange_strong(&is_noted, &no, WRITING))
		return;
	atomic_store(&is_noted, stat("/", &root) == 0 ? YES : NO);
}

bool cof_root_dir_is_same(void)
{
	struct stat now;

	return atomic_load(&is_noted) != YES ||
	       (stat("/", &now) == 0 && now.st_dev == root.st_dev &&
		now.st_ino == root.st_ino);
}
