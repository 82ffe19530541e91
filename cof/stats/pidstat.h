/*
 * pidstat.h - what the kernel says about a process: is it still the same one?
 *
 * The kernel uses a pid again after its process is gone. A process that calls
 * exec(3) gets another program and keeps its pid. Three things show that:
 *
 *	pid namespace	pids of another namespace mean nothing in ours
 *	start ticks	differ if the pid was used again
 *	mappings	exec drops them, so a file that is not mapped any more
 *			has lost its owner
 *
 * It reads /proc with plain system calls and a buffer on the stack. Without
 * /proc it works too, and says that it cannot tell.
 *
 * Thread: any, but not a signal handler.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cof_pidstat {
	char     state;		/* R S D T t Z X ..., as in proc(5) */
	uint64_t start_ticks;	/* since boot, in clock ticks */
	uint64_t threads;
};

/* Parse the text of /proc/PID/stat. Returns 0, or -1: it is no such text. */
int cof_pidstat_parse(const char *text, size_t len, struct cof_pidstat *out);

/* Read it for process `pid`; 0 is the caller. Returns 0, or -errno: ENOENT,
 * ESRCH, EACCES. */
int cof_pidstat_read(pid_t pid, struct cof_pidstat *out);

/* Does `pid` (0: the caller) map this file? 1, 0, or -errno: it cannot tell. */
int cof_pidstat_maps(pid_t pid, dev_t dev, ino_t ino);

/* A process and a file that it mapped, as they were then. */
struct cof_pidstat_id {
	pid_t    pid;
	uint64_t start_ticks;	/* 0: not known */
	uint64_t pid_namespace;	/* 0: not known */
	dev_t    dev;
	ino_t    ino;
};

enum cof_life {
	COF_LIFE_RUNNING,
	COF_LIFE_STOPPED,	/* by a signal or a debugger */
	COF_LIFE_DEAD,		/* or the process runs another program now */
	COF_LIFE_UNKNOWN,	/* in another pid namespace */
};

/* What has become of it. */
enum cof_life cof_pidstat_life(const struct cof_pidstat_id *id);

/* The inode number of the caller's pid namespace; 0: it cannot tell. */
uint64_t cof_pidstat_namespace(void);
