/*
 * libc.h - libcof-libc.so: functions of the program's libc, and of heap.h, in
 * place of those of the libc of this namespace
 *
 * Process-wide. A thread's keys, the list of fork handlers and the flag that a
 * process has threads belong to one libc: the program's, which starts and ends
 * the process. In libcof's namespace this library defines
 *
 *	pthread_create(3)			its threads are libc's
 *	pthread_key_create(3) and its kin	two libcs would give the same
 *						word of a thread away
 *	pthread_getattr_np(3)			and what frees its result
 *	pthread_atfork(3)
 *	__cxa_atexit()				objects here outlive exit(3)
 *
 * It is loaded before libcof-native.so, since constructors of libraries need
 * it.
 */
#pragma once

#include "preload/services.h"

/* Before anything else is loaded here. 0, or an errno(3). */
cofl_libc_init_fn cofl_libc_init;

/* On each thread that runs code of this namespace. This libc did not start it,
 * so what isalpha(3) and its kin read of the thread is not set. */
void cofl_libc_thread_begins(void);
