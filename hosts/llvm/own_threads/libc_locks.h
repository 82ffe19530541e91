/*
 * libc_locks.h - when the program's libc takes the locks that it shares with
 * libcof's threads
 *
 * While a process has one thread, libc and the dynamic linker leave locks and
 * atomic operations out (__libc_single_threaded). libcof's threads are not
 * libc's, so a program of one thread goes on like that. But a few locks are the
 * process's: those of the dynamic linker. So around each call of libcof's that
 * takes one, libc is told that there are threads.
 *
 *	calls		how long
 *	a thread of	from the next look at the program's thread that finds it
 *	libcof's	outside of libc, to another such look
 *	the program's	for the length of the call
 *	thread
 *
 * Once the program has made a thread itself, libc takes its locks anyway.
 *
 * Process-wide.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Once, before all others but for_good(), with the linker's heap open
 * (linker_malloc.h). `look_soon` has the program's thread call look(); it is
 * async-signal-safe. False: libc has no such flag. */
bool libc_locks_begin(void (*look_soon)(void));

/* Around calls that take locks of the process's, on a thread of libcof's. The
 * first waits until libc takes its locks. */
void libc_locks_share(void);
void libc_locks_unshare(void);

/* The same on the program's only thread: it does not wait.
 * Async-signal-safe. */
void libc_locks_share_here(void);
void libc_locks_unshare_here(void);

/* A signal found the program's thread at `pc`. Async-signal-safe. */
void libc_locks_look(uintptr_t pc);

/* Is a look needed? Async-signal-safe. */
bool libc_locks_want_look(void);

/* The program makes a thread, or ends: libc takes its locks for good. */
void libc_locks_for_good(void);

/*
 * libc is about to make a thread of the program's. With the first one it
 * installs handlers, without which setuid(2) and its kin would leave out
 * threads of the program's. Its flag tells it that there is none; it clears
 * that itself.
 */
void libc_locks_first_thread(void);

/*
 * Around fork(2): it does without locks as natively, since libc would take that
 * of its heap, and the program may be in a handler that interrupted malloc(3).
 * The last is for the child: none of libcof's threads is there.
 */
void libc_locks_fork(void);
void libc_locks_parent(void);
void libc_locks_child(void);
