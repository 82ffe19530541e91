/*
 * pidstat.h - what the kernel says about a process: is it still the same one?
 *
 * A pid is used again after its process is gone, and a process changes its
 * program by exec and keeps its pid. Three things tell them apart:
 *
 *	pid namespace	pids of another namespace mean nothing in ours
 *	start ticks	differ if the pid was used again
 *	mappings	exec drops them, so a file that is no longer mapped has
 *			lost its owner
 *
 * Reads /proc with plain system calls and a buffer on the stack; works without
 * /proc, and says then that it cannot tell.
 *
 * Thread: any, but not a signal handler.
 */
#ifndef COF_STATS_PIDSTAT_H
#define COF_STATS_PIDSTAT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cof_pidstat {
	char     state;		/* R S D T t Z X ..., as in proc(5) */
	uint64_t start_ticks;	/* since boot, in clock ticks */
};

/* Parse the text of /proc/PID/stat. 0, or -1: that is not one. */
int cof_pidstat_parse(const char *text, size_t len, struct cof_pidstat *out);

/* Of process `pid`; 0 is the caller. 0, or -errno: ENOENT, ESRCH, EACCES. */
int cof_pidstat_read(pid_t pid, struct cof_pidstat *out);

/* Does `pid` (0: the caller) map this file? 1, 0, or -errno: cannot tell. */
int cof_pidstat_maps(pid_t pid, dev_t dev, ino_t ino);

/* A process and a file it mapped, as noted down when it did. */
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
	COF_LIFE_DEAD,		/* or it runs another program by now */
	COF_LIFE_UNKNOWN,	/* in another pid namespace */
};

enum cof_life cof_pidstat_life(const struct cof_pidstat_id *id);

/* The inode number of the caller's pid namespace; 0: cannot tell. */
uint64_t cof_pidstat_namespace(void);

#endif /* COF_STATS_PIDSTAT_H */
