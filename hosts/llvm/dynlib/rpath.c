/*
 * rpath.c - expand $ORIGIN, search and open; see rpath.h
 */
#include "dynlib/rpath.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/xcalloc.h"

/* Constant once the program is open. */
static const char *the_program;
static char       *dirs;	/* NULL: none */
static bool        before_environment;	/* it has DT_RPATH */
static char       *library_path;	/* LD_LIBRARY_PATH at the start */

/* The length of the $ORIGIN that `s` begins with; 0: it does not. */
static size_t origin_here(const char *s)
{
	return strncmp(s, "$ORIGIN", 7) == 0 ? 7 :
	       strncmp(s, "${ORIGIN}", 9) == 0 ? 9 : 0;
}

/* `s` with $ORIGIN replaced, for the caller to free(3). */
static char *with_origin(const char *s)
{
	char origin[PATH_MAX], *slash, *to;
	size_t n;

	if (realpath(the_program, origin) == NULL)
		*origin = '\0';
	slash = strrchr(origin, '/');
	if (slash != NULL)
		*slash = '\0';
	n = strlen(origin);
	to = cofl_xcalloc(strlen(s) * (n + 1) + 1, 1);
	for (size_t at = 0; *s != '\0';) {
		size_t skip = origin_here(s);

		if (skip == 0) {
			to[at++] = *s++;
			continue;
		}
		memcpy(to + at, origin, n);
		at += n;
		s += skip;
	}
	return to;
}

void cofl_rpath_init(const struct cofl_dynamic *dynamic, const char *program)
{
	const char *path = secure_getenv("LD_LIBRARY_PATH");

	the_program = program;
	before_environment = dynamic->dirs_tag == DT_RPATH;
	if (path != NULL)
		library_path = strcpy(cofl_xcalloc(strlen(path) + 1, 1), path);
	if (dynamic->dirs != NULL)
		dirs = with_origin(dynamic->dirs);
}

const char *cofl_rpath_dirs(void)
{
	return dirs;
}

/* The path of `name` in the first directory that has such a file. */
static bool find_in(const char *list, const char *separators, const char *name,
		    char path[PATH_MAX])
{
	while (list != NULL && *list != '\0') {
		int n = (int)strcspn(list, separators);

		if (snprintf(path, PATH_MAX, "%.*s/%s", n > 0 ? n : 1,
			     n > 0 ? list : ".", name) < PATH_MAX &&
		    access(path, R_OK) == 0)
			return true;
		list += n + (list[n] != '\0');
	}
	return false;
}

static void *open_named(const char *name, int flags)
{
	char path[PATH_MAX];
	void *there = dlopen(name, flags | RTLD_NOLOAD);

	if (there != NULL)
		return there;
	if ((before_environment || !find_in(library_path, ":;", name, path)) &&
	    find_in(dirs, ":", name, path))
		return dlopen(path, flags);
	return dlopen(name, flags);
}

void *cofl_rpath_open(const char *name, int flags)
{
	void *opened;
	char *path;

	if (name != NULL && dirs != NULL && *name != '\0' &&
	    strchr(name, '/') == NULL)
		return open_named(name, flags);
	if (name == NULL || the_program == NULL || strchr(name, '$') == NULL)
		return dlopen(name, flags);
	path = with_origin(name);
	opened = dlopen(path, flags);
	free(path);
	return opened;
}
