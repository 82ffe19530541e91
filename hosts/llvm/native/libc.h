/*
 * libc.h - libcof-libc.so: functions that stand between libcof and the libc of
 * its namespace
 *
 * Process-wide. A thread's keys and the list of fork handlers belong to one
 * libc: the program's, which starts and ends the process. The dynamic linker's
 * locks are the process's (own_threads/libc_locks.h). In libcof's namespace
 * this library defines
 *
 *	pthread_key_create(3) and its kin	two libcs would give the same
 *						word of a thread away
 *	pthread_atfork(3)
 *	__cxa_atexit()				objects here outlive exit(3)
 *	pthread_create(3), dlopen(3), dlclose(3), dlsym(3), dladdr(3),
 *	dl_iterate_phdr(3)
 *						with the locks, and libc's
 *						threads registered
 *	malloc(3) and its kin			namespace_malloc.h
 *
 * It is loaded before libcof-native.so, since constructors of libraries need
 * it.
 */
#pragma once

#include "preload/services.h"

/* Before anything else is loaded here. 0, or an errno(3). */
cofl_libc_init_fn cofl_libc_init;

cofl_libc_first_thread_fn cofl_libc_first_thread;

/* On each thread that runs code of this namespace. This libc did not start the
 * program's, so what isalpha(3) and its kin read of the thread is not set. */
void cofl_libc_thread_begins(void);

/* dlsym(3) and dlvsym(3) in the program's global scope; `version` NULL: the
 * default one. By the functions of this namespace: the program's libc would
 * allocate for the error if there is none. */
void *cofl_libc_find(const char *name, const char *version);

/* Once what was loaded so far is all that a thread needs: have the dynamic
 * linker decide now where its thread-local variables are, which takes a lock
 * the first time. */
void cofl_libc_touch_tls(void);
