/*
 * last_exit.h - the status of the thread of the program that ended last
 *
 * Once none of the program's threads is left its process ends with that status,
 * as in Linux 6.
 */
#pragma once

/* -1: none has ended. For exit(2) in syscall_x86_64.S. */
extern _Atomic int last_exit_status;

/* A thread of the program ends, with status 0, as libc ends it. */
void last_exit_thread_ends(void);

/* None of the program's threads is left: end the process. `status` is the first
 * thread's, for where no end was seen. */
void last_exit_left_alone(int status);
