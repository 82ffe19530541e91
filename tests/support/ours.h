/*
 * ours.h - how many threads of this process are libcof's
 */
#ifndef TESTS_OURS_H
#define TESTS_OURS_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "balance.h"

/* How many have a name that begins so? */
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

/* By name: a sanitizer may have a thread of its own. */
static inline int threads_of_ours(void)
{
	return threads_named("cof-");
}

/* A new one names itself soon; one that was joined may still be listed for a
 * moment. */
static inline void expect_threads(int n)
{
	struct patience p = patience_begin();

	while (threads_of_ours() != n && !patience_is_over(&p))
		nap();
	assert_int_equal(threads_of_ours(), n);
}

/* All of the process, whatever their names: one may not have its own yet. */
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

#endif /* TESTS_OURS_H */
