/*
 * make_dirs.h - make a folder for the user's files, as the XDG specification
 * wants it: with all that it lies in, for the user only
 *
 * A process of root's may have another user's HOME (sudo -E). What root makes
 * there that user cannot write to, so it makes nothing.
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* May something be made in this folder? */
static inline bool cof_make_dirs_may(const char *folder)
{
	struct stat st;

	return stat(folder, &st) == 0 &&
	       (st.st_uid == geteuid() || (geteuid() != 0 && st.st_uid == 0));
}

/*
 * `path` is absolute; it is written to meanwhile. A failure shows when the
 * folder is opened. Another process may make the same folders at that time.
 * Async-signal-safe, but for errno.
 */
static inline void cof_make_dirs(char *path)
{
	char *last = path;	/* the end of the folder that `at` is in */

	for (char *at = path + 1;; at++) {
		char was = *at, first;
		bool may;

		if (was != '/' && was != '\0')
			continue;
		*at = '\0';
		if (access(path, F_OK) != 0) {
			first = last[last == path];
			last[last == path] = '\0';
			may = cof_make_dirs_may(path);
			last[last == path] = first;
			if (!may ||
			    (mkdir(path, 0700) != 0 && errno != EEXIST)) {
				*at = was;
				return;
			}
		}
		*at = was;
		if (was == '\0')
			return;
		last = at;
	}
}
