/*
 * remote_thread.h - a thread that sleeps in a system call, read from outside
 *
 * /proc/self/task/TID/syscall is one line: "running", or "-1 SP PC" for a thread
 * stopped elsewhere than in a system call (a page fault, say: then any register
 * may matter, and only two are shown), or the call's number, its six arguments,
 * SP and PC. Only the last kind is one we can search. (proc(5))
 *
 * The kernel writes it for a thread that is off its processor; whether it stayed
 * off is for the caller to find out, by reading again and by the thread's clock.
 */
#ifndef COF_RECLAIM_REMOTE_THREAD_H
#define COF_RECLAIM_REMOTE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#define COF_REMOTE_THREAD_WORDS 8

struct cof_remote_thread {
	uintptr_t sp;
	uintptr_t word[COF_REMOTE_THREAD_WORDS];	/* arguments, sp, pc */
};

/* False: the line says anything else. Pure. */
bool cof_remote_thread_parse(const char *line, struct cof_remote_thread *out);

/* The file's descriptor, or -1: no such thread, or no such file. */
int  cof_remote_thread_open(int tid);

/* False: it runs, or cannot be told. */
bool cof_remote_thread_read(int fd, struct cof_remote_thread *out);

#endif /* COF_RECLAIM_REMOTE_THREAD_H */
