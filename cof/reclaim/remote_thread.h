/*
 * remote_thread.h - the registers of a thread that sleeps in a system call
 *
 * /proc/self/task/TID/syscall is one line (proc(5)):
 *
 *	"running"                the thread runs
 *	-1 SP PC                 it is stopped outside a system call, say by a
 *	                         page fault: any register may matter, but only
 *	                         two are shown
 *	NUMBER, 6 arguments,     it sleeps in a system call: only such a thread
 *	SP PC                    can be searched
 *
 * The kernel writes the last two for a thread that is off its processor. The
 * caller finds out whether it stayed off, by reading again and by the thread's
 * clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define COF_REMOTE_THREAD_WORDS 8

struct cof_remote_thread {
	uintptr_t sp;
	uintptr_t word[COF_REMOTE_THREAD_WORDS];	/* arguments, sp, pc */
};

/* False: it is not the line of a thread in a system call. Pure. */
bool cof_remote_thread_parse(const char *line, struct cof_remote_thread *out);

/*
 * The file's descriptor, which the caller closes; -1: no such thread or file.
 */
int  cof_remote_thread_open(int tid);

/* False: the thread is not in a system call, or the file cannot be read. */
bool cof_remote_thread_read(int fd, struct cof_remote_thread *out);
