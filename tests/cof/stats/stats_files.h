/*
 * stats_files.h - stats files in a directory of the test
 */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/units.h"
#include "stats/pidstat.h"
#include "stats/stats_dir.h"
#include "stats/stats_file.h"
#include "stats_dir.h"

#define DAY_NS (24u * 3600u * COF_S_NS)

static char why[COF_STATS_DIR_WHY];

static inline int open_dir(void)
{
	int fd = cof_stats_dir_open(stats_dir, geteuid(), true, why);

	assert_true(fd >= 0);
	return fd;
}

static const char *in_dir(const char *file)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", stats_dir, file);
	return path;
}

static inline bool exists(const char *file)
{
	return access(in_dir(file), F_OK) == 0;
}

/* A stats file's header, with nothing behind it. */
static inline void put_file(const char *file, pid_t pid, uint64_t ticks,
			    uint64_t pid_namespace)
{
	struct cof_stats_file_header h = {
		.magic = COF_STATS_FILE_MAGIC, .format = COF_STATS_FILE_FORMAT,
		.pid = (uint32_t)pid, .start_ticks = ticks,
		.pid_namespace = pid_namespace, .updated_ns = 1,
	};
	int fd = open(in_dir(file), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, &h, sizeof(h)), sizeof(h));
	close(fd);
}

static inline pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}
