/*
 * linker_malloc.h - what the dynamic linker allocates for libcof does not come
 * from the program's heap
 *
 * The dynamic linker allocates by the program's malloc(3) in all namespaces: in
 * dlopen(3), for a new thread, at the first use of a library's thread-local
 * variable. On a thread of libcof's, or in a signal handler that attaches a
 * thread, that malloc() may not be called: libc leaves out its locks while the
 * program has one thread, a handler may have interrupted it, and an
 * executable's own malloc() may not expect other threads. So the dynamic
 * linker's pointers to the four functions are replaced by functions that look
 * which thread calls. Blocks of libcof's lie in one range of addresses; any
 * thread may free them.
 *
 * Process-wide.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Replace the pointers, once. False: this dynamic linker is not known; `why`
 * has the reason. Thread: the program's only one, or any while no other is in
 * the dynamic linker. Async-signal-safe. */
bool linker_malloc_begin(char *why, size_t why_bytes);

/* Libcof's side will never open: give back the addresses that are not in use,
 * but for a little. Thread: any inside libcof. */
void linker_malloc_shrink(void);

/* In a fork's child: no other thread is inside. */
void linker_malloc_forked(void);

/*
 * Above 0, the dynamic linker allocates from libcof's range on this thread: on
 * libcof's threads always, on the program's main thread inside a signal
 * handler. Not on its other threads: when libc gives the stack of a thread that
 * ended to a new one, it frees what the dynamic linker allocated by its own
 * free(3).
 */
extern _Thread_local int linker_malloc_depth;
