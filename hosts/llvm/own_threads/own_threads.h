/*
 * own_threads.h - libcof's threads, which the program's libc does not know
 *
 * Thread: all are async-signal-safe.
 */
#pragma once

#include <stdbool.h>

/* The calling thread is one of them, from begins() to ends(). False: there are
 * too many (OWN_THREADS_MAX). */
bool own_threads_begins(void);
void own_threads_ends(void);

/*
 * Around making one, on the thread that does: it would have the rights that its
 * maker had, if they changed meanwhile. making() waits for calls, and calls for
 * made(), which is called by the new thread, or by its maker if there is none.
 */
void own_threads_making(void);
void own_threads_made(void);

/* Is the calling one? */
bool own_threads_is(void);

/* In a fork's child: none is there. */
void own_threads_forked(void);

/* Does libc do the following itself? It has a handler for it since the program
 * made a thread, and finds libcof's threads in the dynamic linker's list. */
bool own_threads_libc_calls(void);

/*
 * Make a system call on each of them, with these arguments: rights belong to
 * threads (credentials(7)), and libc changes those of the threads that it
 * knows. For a call that succeeded on the calling thread. Waits for them.
 */
void own_threads_call(long number, long a, long b, long c);

#define OWN_THREADS_MAX 64
