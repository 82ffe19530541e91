/*
 * syscall.h - system calls of the program that libcof has to know of
 *
 *	call			before it
 *	seccomp(2), prctl(2)	the loop ends
 *	exit(2) of a thread	its status is kept
 *
 * A filter of seccomp(2) judges the calls of a whole process, or of a thread.
 * The program's author chose what it allows by what the program calls natively,
 * and the kernel may end the process for any other call. So libcof ends its
 * threads, timers and hooks first (cof_quiesce() of cof.h). The program goes on
 * with the code that it has; functions that were never called are compiled
 * before the filter is there.
 *
 * prctl(2) and syscall(2) are stood in for. A program that makes the call by an
 * instruction of its own is not seen.
 */
#pragma once

struct cofl;

/* The program is about to begin. */
void syscall_init(struct cofl *host);

/* A thread of the program ends, with status 0, as libc ends it. */
void syscall_thread_ends(void);

/*
 * The exit status of the process if no thread of the program is left: that of
 * the last one that ended, as in Linux 6. `first` is the first thread's, for
 * where no end was seen.
 */
int  syscall_exit_status(int first);
