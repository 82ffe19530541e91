/*
 * syscall.h - system calls of the program that libcof has to know of
 *
 *	call			before it
 *	seccomp(2), prctl(2),	the loop ends, or is not to begin
 *	ptrace(2)
 *	exit(2) of a thread	its status is kept
 *	capset(2), prctl(2)	libcof's threads follow (process/capabilities.h)
 *	unshare(2), setns(2)	libcof ends if its threads are in the way
 *				(process/namespaces.h)
 *	mprotect(2)		functions are left alone (preload/code_writes.h)
 *
 * A filter of seccomp(2) judges the calls of a whole process, or of a thread.
 * The program's author chose what it allows by what the program calls natively,
 * and the kernel may end the process for any other call. So libcof ends its
 * threads, timers and hooks first (cof_quiesce() of cof.h), or is not opened
 * any more.
 *
 * These and syscall(2) are stood in for. A program that makes the call by an
 * instruction of its own is not seen.
 */
#pragma once

/* A thread of the program ends, with status 0, as libc ends it. */
void syscall_thread_ends(void);

/*
 * None of the program's threads is left: end the process with the status of the
 * last one that ended, as in Linux 6. `status` is the first thread's, for where
 * no end was seen.
 */
void syscall_left_alone(int status);

/* For syscall_x86_64.S: a filter is about to be set; the call failed with
 * -result; -1, or the status of the last thread that ended. */
void syscall_filter_comes(void);
long syscall_failed(long result);
extern _Atomic int syscall_last_exit;

/* And: the calls of the list that have no more than five arguments, with
 * syscall(2)'s, and its result. */
long syscall_known(long number, long a, long b, long c, long d, long e);
