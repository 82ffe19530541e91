/*
 * unseen_thread.c - counts threads; see unseen_thread.h
 *
 * Threads attach and detach under a lock, libcof's own count themselves
 * (process/own_threads.h), and a folder /proc/PID/task has a link for each and
 * two more. The first thread has one until the process ends, and is in no
 * method once it is dead.
 */
#include "reclaim/unseen_thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cof.h"
#include "instance.h"
#include "process/left.h"
#include "process/own_threads.h"
#include "process/proc_stat.h"
#include "reclaim/scan.h"
#include "threads/threads.h"

#define TASKS "/proc/self/task"

#define LOOKS          8		/* while threads begin and end */
#define NAP_NS         100000
#define FLAGS_FIELD    9		/* proc_pid_stat(5) */
#define PF_IO_WORKER   0x10ul		/* of the kernel's <linux/sched.h> */

bool cof_unseen_thread_is_kernels(const char *stat)
{
	return strtoul(cof_proc_stat_field(stat, FLAGS_FIELD), NULL, 10) &
	       PF_IO_WORKER;
}

static bool is_kernels(const char *tid)
{
	char path[sizeof(TASKS) + 32], text[1024];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), TASKS "/%.20s/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return cof_unseen_thread_is_kernels(text);
}

static void count_kernels(void *arg)
{
	DIR *tasks = opendir(TASKS);
	const struct dirent *task;
	uint64_t *n = arg;

	*n = 0;
	if (tasks == NULL)
		return;
	while ((task = readdir(tasks)) != NULL)
		*n += task->d_name[0] != '.' && is_kernels(task->d_name);
	closedir(tasks);
}

/* [threads lock] Some may have ended and not detached: the first thread, of
 * which something is left, is `dead` then. */
static uint64_t attached(const struct cof_threads *threads, int dead)
{
	uint64_t n = 0;

	for (const struct cof_thread *t = threads->list; t; t = t->next)
		n += !t->gone && t->tid != dead && !cof_scan_is_gone(t->tid);
	return n;
}

/* Are there as many as are known, and `kernels`? */
static bool all_are_known(struct cof *cof, uint64_t kernels)
{
	uint64_t own = cof_own_threads(), known;
	bool left = cof_left_by_first();
	struct stat tasks;

	pthread_mutex_lock(&cof->threads->lock);
	known = attached(cof->threads, left ? getpid() : 0) + left +
		(uint32_t)own + kernels;
	if (stat(TASKS, &tasks) != 0 || tasks.st_nlink < 2)
		tasks.st_nlink = 2 + known;
	pthread_mutex_unlock(&cof->threads->lock);
	return tasks.st_nlink - 2 == known && own == cof_own_threads();
}

/* A thread that begins attaches soon, and one that detached is soon gone. */
static bool soon_all_are_known(struct cof *cof, uint64_t kernels)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	for (int i = 1; i < LOOKS; i++) {
		if (all_are_known(cof, kernels))
			return true;
		nanosleep(&nap, NULL);
	}
	return all_are_known(cof, kernels);
}

bool cof_unseen_thread(struct cof *cof)
{
	uint64_t kernels;

	if (!cof->host.attaches_all || soon_all_are_known(cof, 0))
		return false;
	cof_call_with_private_files(cof, count_kernels, &kernels);
	return kernels == 0 || !soon_all_are_known(cof, kernels);
}
