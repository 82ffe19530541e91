/*
 * proc_self_exe.c - read the link, and follow it; see proc_self_exe.h
 *
 * Other paths go to libc's functions.
 */
#include "exe/proc_self_exe.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exe/rtld_next.h"

#define API __attribute__((visibility("default")))

/* Set before the program begins. */
static char        own[PATH_MAX];	/* the path; empty: not set yet */
static const char *as_named;		/* on the command line */

void proc_self_exe_set(const char *program)
{
	as_named = program;
	if (realpath(program, own) == NULL)
		own[0] = '\0';
}

bool proc_self_exe_is_link(const char *path)
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

const char *proc_self_exe_path(void)
{
	return own;
}

/* -- Reading the link ------------------------------------------------------ */

static ssize_t put(char *to, size_t bytes)
{
	size_t n = strlen(own);

	if (n > bytes)
		n = bytes;
	/* As readlink(2). NOLINTNEXTLINE(bugprone-not-null-terminated-*) */
	memcpy(to, own, n);
	return (ssize_t)n;
}

API ssize_t readlinkat(int dir, const char *restrict path, char *restrict to,
		       size_t bytes)
{
	return bytes > 0 && proc_self_exe_is_link(path) ? put(to, bytes) :
	       syscall(SYS_readlinkat, dir, path, to, bytes);
}

API ssize_t readlink(const char *restrict path, char *restrict to, size_t bytes)
{
	return readlinkat(AT_FDCWD, path, to, bytes);
}

/* -D_FORTIFY_SOURCE calls these; `room` is the size of the buffer. */
ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *to, size_t bytes,
			 size_t room);
char   *__realpath_chk(const char *path, char *to, size_t room);
_Noreturn void __chk_fail(void);

API ssize_t __readlink_chk(const char *path, char *to, size_t bytes,
			   size_t room)
{
	return __readlinkat_chk(AT_FDCWD, path, to, bytes, room);
}

API ssize_t __readlinkat_chk(int dir, const char *path, char *to, size_t bytes,
			     size_t room)
{
	if (bytes > room)
		__chk_fail();
	return readlinkat(dir, path, to, bytes);
}

/* -- The path it leads to -------------------------------------------------- */

typedef char *real_fn(const char *, char *);

API char *realpath(const char *restrict path, char *restrict to)
{
	static void *_Atomic known;

	return ((real_fn *)next_of(&known, "realpath"))(
		proc_self_exe_is_link(path) ? own : path, to);
}

API char *__realpath_chk(const char *path, char *to, size_t room)
{
	if (room < PATH_MAX)
		__chk_fail();
	return realpath(path, to);
}

API char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

typedef unsigned long auxv_fn(unsigned long);

API unsigned long getauxval(unsigned long type)
{
	static void *_Atomic known;

	if (type == AT_EXECFN && as_named != NULL)
		return (unsigned long)as_named;
	return ((auxv_fn *)next_of(&known, "getauxval"))(type);
}
