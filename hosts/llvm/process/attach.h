/*
 * attach.h - the program's threads, as libcof knows them
 *
 * A thread detaches in the last round of key destructors: those of the
 * program's keys, and of its thread_local variables, are code of the program's.
 *
 * libc ends the process with its last thread (pthread_exit(3)): libcof's are
 * not libc's (own_threads/own_threads.h).
 */
#pragma once

#include <stdbool.h>

/* Once, in the main thread, before the program begins. False: no key is
 * left. */
bool attach_init(void);

/* The calling thread begins, or libcof's side was opened after it had begun; it
 * attaches if that is open. */
void attach_begin(void);
