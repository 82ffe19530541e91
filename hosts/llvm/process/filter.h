/*
 * filter.h - the program is about to forbid system calls
 *
 * A filter of seccomp(2) judges the calls of a whole process, or of a thread.
 * The program's author chose what it allows by what the program calls natively,
 * and the kernel may end the process for any other call. So libcof ends its
 * threads, timers and hooks first (cof_quiesce() of cof.h), or is not opened
 * any more.
 */
#pragma once

/* Called before the filter is set; `errno` stays. Also for
 * syscall_x86_64.S. */
void filter_comes(void);

/* The same where libcof ends for another reason: what executes itself anew
 * stays under runtime. */
void filter_quiesce(void);
