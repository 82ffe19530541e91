/*
 * fork_in_handler.h - fork(2) in a signal handler that interrupted malloc(3)
 *
 * In a process of several threads libc's fork() takes the locks of its
 * allocator. libcof's threads make the process one of several. A handler that
 * forks would then wait for a lock that the interrupted code holds. Natively,
 * in a process of one thread, libc takes no such lock, and the program is
 * correct.
 *
 * So if the thread is inside libc's allocator (libc_heap.h), fork() is _Fork(3)
 * between the hooks of pthread_atfork(3), which are noted here as they are
 * registered.
 *
 * Process-wide: cof-llvm defines fork(2).
 */
#pragma once

/* Note hooks that were registered with libc, by the library that contains
 * `dso`. Each may be NULL. Thread: any. */
void fork_in_handler_note(void (*prepare)(void), void (*parent)(void),
			  void (*child)(void), void *dso);
