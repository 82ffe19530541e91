/*
 * credentials.c - the stand-ins for setuid(2) and its kin: libcof's threads
 * change their rights with the program's
 *
 * To the kernel rights belong to a thread (credentials(7)). libc changes those
 * of all threads it knows once there are several, which takes a handler that it
 * has by then. Until then it makes the call for the calling thread alone, and
 * libcof's are left. So here it is made for them, too.
 *
 * The numbers of the calls are x86-64's.
 */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/rawcall.h"
#include "own_threads/own_threads.h"
#include "preload/call_failed.h"
#include "preload/native.h"
#include "preload/rtld_next.h"

/* The first thread is being made until libcof's side is open. */
static int change(long number, long a, long b, long c)
{
	long result;

	native_wait();
	result = cof_raw(number, a, b, c, 0);
	if (result < 0)
		return (int)call_failed(result);
	own_threads_call(number, a, b, c);
	return 0;
}

/* Libc's function if libc does it for all threads. */
#define CHANGE(libcs, number, a, b, c) \
	(own_threads_libc_calls() ? (libcs) : change(number, a, b, c))

STAND_IN int setuid(uid_t id)
{
	return CHANGE(rtld_next.setuid(id), SYS_setuid, id, 0, 0);
}

STAND_IN int setgid(gid_t id)
{
	return CHANGE(rtld_next.setgid(id), SYS_setgid, id, 0, 0);
}

STAND_IN int setreuid(uid_t real, uid_t effective)
{
	return CHANGE(rtld_next.setreuid(real, effective), SYS_setreuid, real,
		      effective, 0);
}

STAND_IN int setregid(gid_t real, gid_t effective)
{
	return CHANGE(rtld_next.setregid(real, effective), SYS_setregid, real,
		      effective, 0);
}

STAND_IN int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	return CHANGE(rtld_next.setresuid(real, effective, saved),
		      SYS_setresuid, real, effective, saved);
}

STAND_IN int setresgid(gid_t real, gid_t effective, gid_t saved)
{
	return CHANGE(rtld_next.setresgid(real, effective, saved),
		      SYS_setresgid, real, effective, saved);
}

STAND_IN int setgroups(size_t n, const gid_t *group)
{
	return CHANGE(rtld_next.setgroups(n, group), SYS_setgroups, (long)n,
		      (long)group, 0);
}

/* As libc's: -1 is no number of anybody's. */
STAND_IN int seteuid(uid_t id)
{
	if (id != (uid_t)-1)
		return setresuid((uid_t)-1, id, (uid_t)-1);
	errno = EINVAL;
	return -1;
}

STAND_IN int setegid(gid_t id)
{
	if (id != (gid_t)-1)
		return setresgid((gid_t)-1, id, (gid_t)-1);
	errno = EINVAL;
	return -1;
}

/* libc's does not call setgroups() by its name. */
STAND_IN int initgroups(const char *user, gid_t group)
{
	int n = NGROUPS_MAX, result;
	gid_t *list = malloc((size_t)n * sizeof(*list));

	if (list == NULL)
		return -1;
	getgrouplist(user, group, list, &n);
	result = setgroups((size_t)(n < NGROUPS_MAX ? n : NGROUPS_MAX), list);
	free(list);
	return result;
}
