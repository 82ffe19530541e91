/*
 * bare_thread.h - a thread that the program's libc does not know of
 *
 * The first thread that pthread_create(3) makes changes libc for good: streams
 * are locked from then on, malloc(3) takes locks. The program has one thread,
 * so nothing of that may happen. A bare thread has what the dynamic linker
 * needs: thread-local variables, an identity for its locks, a place in its list
 * of threads, so that libraries it loads get theirs. It opens libcof's
 * namespace, whose own libc makes all other threads of libcof's, and ends.
 *
 * glibc tells debuggers where these things are, and those descriptions are used
 * here (libthread_db).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Call `run` once on a bare thread, with all signals blocked. The caller is the
 * program's only thread, is not inside the dynamic linker or libc, and has the
 * linker's heap open (linker_heap.h); it may be in a signal handler. False: it
 * was not made; `why` has the reason.
 */
bool bare_thread_start(void (*run)(void), char *why, size_t why_bytes);

/* Wait for its end, and free what it had. On a thread of libcof's. */
void bare_thread_join(void);
