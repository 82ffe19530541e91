/*
 * namespaces.c - the stand-ins for unshare(2) and setns(2), which the kernel
 * allows to processes of one thread only, if a namespace of users is concerned,
 * say
 *
 * Natively the program has one. So where libcof's threads are in the way, they
 * end, and libcof with them (cof_quiesce()). A program that is refused for
 * another reason is refused again.
 */
#include "process/namespaces.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "base/rawcall.h"
#include "own_threads/own_threads.h"
#include "preload/call_failed.h"
#include "preload/native.h"
#include "preload/rtld_next.h"
#include "process/filter.h"

#define ALONE_LINKS 3		/* of the directory, with one thread */
#define STEP_NS     1000000
#define STEPS       2000	/* many times what an end takes */

/* Without /proc: is there no libcof? */
static bool is_alone(void)
{
	struct stat st;

	return stat("/proc/self/task", &st) == 0 ?
		       st.st_nlink <= ALONE_LINKS : native_events() == NULL;
}

/* A thread that was joined may still be about to end. */
static long call_alone(long number, long a, long b)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	long result = -EINVAL;
	bool alone = false;

	for (int i = 0; i < STEPS && result == -EINVAL && !alone; i++) {
		if (i > 0)
			nanosleep(&step, NULL);
		alone = is_alone();
		result = cof_raw(number, a, b, 0, 0);
	}
	return result;
}

static int call(long number, long a, long b)
{
	long result = cof_raw(number, a, b, 0, 0);
	int error = errno;

	if (result == -EINVAL && !own_threads_libc_calls() && !is_alone()) {
		filter_quiesce();
		result = call_alone(number, a, b);
		errno = error;
	}
	return result < 0 ? (int)call_failed(result) : 0;
}

int namespaces_unshare(int flags)
{
	return call(SYS_unshare, flags, 0);
}

int namespaces_set(int fd, int type)
{
	return call(SYS_setns, fd, type);
}

STAND_IN int unshare(int flags)
{
	return namespaces_unshare(flags);
}

STAND_IN int setns(int fd, int type)
{
	return namespaces_set(fd, type);
}
