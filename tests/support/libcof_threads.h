/*
 * libcof_threads.h - how many threads of this process are libcof's
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "balance.h"

/* How many threads have a name that begins with `begin`? */
static inline int threads_named(const char *begin)
{
	DIR *dir = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char path[300], name[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm",
			 e->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		n += fgets(name, sizeof(name), f) &&
		     strncmp(name, begin, strlen(begin)) == 0;
		fclose(f);
	}
	closedir(dir);
	return n;
}

/* By name, since a sanitizer may have a thread of its own. */
static inline int libcof_threads(void)
{
	return threads_named("cof-");
}

/* Wait, since a new thread names itself a moment later, and a joined one may be
 * listed a moment longer. */
static inline void expect_libcof_threads(int n)
{
	struct patience p = patience_begin();

	while (libcof_threads() != n && !patience_is_over(&p))
		nap();
	assert_int_equal(libcof_threads(), n);
}

/* All threads of the process, also those without a name of their own yet. */
static inline int threads_in_all(void)
{
	DIR *dir = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}
