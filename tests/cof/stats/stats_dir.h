/*
 * stats_dir.h - a directory on a memory file system, for tests of stats files
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char stats_dir[64];

/* cmocka setup: a new directory, mode 0700. */
static int stats_dir_make(void **state)
{
	(void)state;
	snprintf(stats_dir, sizeof(stats_dir), "/dev/shm/cof-test.XXXXXX");
	return mkdtemp(stats_dir) ? 0 : -1;
}

/* cmocka teardown: remove it, and the files in it. */
static int stats_dir_remove(void **state)
{
	DIR *d = opendir(stats_dir);
	struct dirent *e;

	(void)state;
	if (d == NULL)
		return 0;
	while ((e = readdir(d)) != NULL) {
		char path[400];

		snprintf(path, sizeof(path), "%s/%s", stats_dir, e->d_name);
		if (unlink(path) != 0)
			rmdir(path);
	}
	closedir(d);
	return rmdir(stats_dir);
}
