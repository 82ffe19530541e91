/*
 * left.c - counts threads; see left.h
 *
 * A thread of libcof's counts itself, from its first function to its last one.
 * So at any time there are at least as many as are counted. /proc/self/stat has
 * the number of all, the first thread included until the process ends, and that
 * thread's state and exit status (proc_pid_stat(5)). If the first thread is
 * dead, all others are counted, and none of these began or ended meanwhile,
 * then nobody is left who could make another.
 */
#include "process/left.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cof.h"
#include "instance.h"
#include "process/own_threads.h"
#include "process/proc_stat.h"

/* A process's memory is reached by its first thread, which loses it when it
 * ends. */
bool cof_left_by_first(void)
{
	char from = 0, to;
	struct iovec here = { &to, 1 }, there = { &from, 1 };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0 &&
	       errno == ESRCH;
}

struct look {
	bool alone;
	int  status;
};

static void read_stat(void *arg)
{
	struct look *l = arg;
	char text[1024];
	uint64_t before = cof_own_threads();
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	unsigned threads, ended;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	if (*cof_proc_stat_field(text, 3) != 'Z' ||
	    sscanf(cof_proc_stat_field(text, 20), "%u", &threads) != 1 ||
	    sscanf(cof_proc_stat_field(text, 52), "%u", &ended) != 1)
		return;
	l->alone = threads == 1 + (uint32_t)before &&
		   before == cof_own_threads();
	l->status = (int)(ended >> 8 & 0xff);
}

bool cof_left_alone(struct cof *cof, int *status)
{
	struct look l = { .alone = false };

	if (!cof_left_by_first())
		return false;
	cof_call_with_private_files(cof, read_stat, &l);
	*status = l.status;
	return l.alone;
}

void cof_left_check(struct cof *cof, void (*before)(struct cof *cof))
{
	int status;

	if (!cof->host.left_alone || !cof_left_alone(cof, &status))
		return;
	if (before)
		before(cof);
	cof->host.left_alone(cof->host.ctx, status);
}
