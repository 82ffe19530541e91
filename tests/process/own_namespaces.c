/*
 * own_namespaces.c - a program of one thread makes itself namespaces that the
 * kernel refuses where there are more
 *
 * args: user
 * args: by_number
 * args: into_its_own
 * args: wrong
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../preload/joined.h"

#define NO_FLAG 0x2

static int try(const char *what)
{
	if (strcmp(what, "user") == 0)
		return unshare(CLONE_NEWUSER);
	if (strcmp(what, "by_number") == 0)
		return (int)syscall(SYS_unshare, CLONE_NEWUSER);
	if (strcmp(what, "into_its_own") == 0)
		return setns(open("/proc/self/ns/mnt", O_RDONLY), CLONE_NEWNS);
	return unshare(NO_FLAG);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int result;

	work_until_joined();
	errno = 0;
	result = try(what);
	printf("%s: %d %d\n", what, result, errno);
	use_cpu();
	return 0;
}
