/*
 * own_path.c - readlink(2), realpath(3) and their kin; see own_path.h
 *
 * readlink(2) is async-signal-safe, so it makes its system call here.
 */
#include "process/own_path.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/rtld_next.h"

static char own[PATH_MAX];	/* "": /proc/self/exe is right */

void own_path_init(const char *program)
{
	const char *slash = strrchr(program, '/');

	if (rtld_next.realpath(program, own) == NULL)
		own[0] = '\0';
	rtld_next.prctl(PR_SET_NAME, slash != NULL ? slash + 1 : program);
}

/* Is it a path of the link's? */
static bool is_link(const char *path)
{
	char by_pid[32];

	if (own[0] == '\0' || path == NULL || strncmp(path, "/proc/", 6) != 0)
		return false;
	if (strcmp(path, "/proc/self/exe") == 0 ||
	    strcmp(path, "/proc/thread-self/exe") == 0)
		return true;
	snprintf(by_pid, sizeof(by_pid), "/proc/%d/exe", (int)getpid());
	return strcmp(path, by_pid) == 0;
}

/* -- Reading the link ------------------------------------------------------ */

/* As readlink(2): without a zero. */
static ssize_t put(char *to, size_t bytes)
{
	size_t n = strlen(own);

	if (n > bytes)
		n = bytes;
	/* NOLINTNEXTLINE(bugprone-not-null-terminated-*) */
	memcpy(to, own, n);
	return (ssize_t)n;
}

STAND_IN ssize_t readlinkat(int dir, const char *restrict path,
			    char *restrict to, size_t bytes)
{
	return bytes > 0 && is_link(path) ? put(to, bytes) :
	       syscall(SYS_readlinkat, dir, path, to, bytes);
}

STAND_IN ssize_t readlink(const char *restrict path, char *restrict to,
			  size_t bytes)
{
	return readlinkat(AT_FDCWD, path, to, bytes);
}

/* -D_FORTIFY_SOURCE calls these; `room` is the size of the buffer. */
ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *to, size_t bytes,
			 size_t room);
char   *__realpath_chk(const char *path, char *to, size_t room);
_Noreturn void __chk_fail(void);

STAND_IN ssize_t __readlink_chk(const char *path, char *to, size_t bytes,
				size_t room)
{
	return __readlinkat_chk(AT_FDCWD, path, to, bytes, room);
}

STAND_IN ssize_t __readlinkat_chk(int dir, const char *path, char *to,
				  size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return readlinkat(dir, path, to, bytes);
}

/* -- The path it leads to -------------------------------------------------- */

STAND_IN char *realpath(const char *restrict path, char *restrict to)
{
	return rtld_next.realpath(is_link(path) ? own : path, to);
}

STAND_IN char *__realpath_chk(const char *path, char *to, size_t room)
{
	if (room < PATH_MAX)
		__chk_fail();
	return realpath(path, to);
}

STAND_IN char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}
