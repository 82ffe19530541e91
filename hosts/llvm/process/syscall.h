/*
 * syscall.h - system calls of the program that libcof has to know of
 *
 *	call			before it
 *	seccomp(2), prctl(2),	the loop ends, or is not to begin
 *	ptrace(2)		(process/filter.h)
 *	exit(2) of a thread	its status is kept (process/last_exit.h)
 *	capset(2), prctl(2)	libcof's threads follow (process/capabilities.h)
 *	unshare(2), setns(2)	libcof ends if its threads are in the way
 *				(process/namespaces.h)
 *	mprotect(2)		functions are left alone (preload/code_writes.h)
 *
 * These and syscall(2) are stood in for. A program that makes the call by an
 * instruction of its own is not seen.
 */
#pragma once

/* For syscall_x86_64.S: the calls of the list that have no more than five
 * arguments, with syscall(2)'s, and its result. */
long syscall_known(long number, long a, long b, long c, long d, long e);
