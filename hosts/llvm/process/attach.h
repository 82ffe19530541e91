/*
 * attach.h - the program's threads, as libcof knows them
 *
 * A thread detaches in the last round of key destructors: those of the
 * program's keys, and of its thread_local variables, are code of the program's.
 *
 * A process ends with status 0 when its last thread does (pthread_exit(3)).
 * libcof's threads do not end by themselves. So the program's threads are
 * counted, and the last one ends the process.
 */
#pragma once

#include <stdbool.h>

/* Once, in the main thread, before the program begins. False: no key is
 * left. */
bool attach_init(void);

/* A thread is about to be made, which will call begin(); or was not made. */
void attach_expect(void);
void attach_forget(void);

/* The calling thread begins, or libcof's side was opened after it had begun; it
 * attaches if that is open. */
void attach_begin(void);

/* In a fork's child: it has one thread. */
void attach_forked(void);
