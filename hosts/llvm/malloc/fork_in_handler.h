/*
 * fork_in_handler.h - fork(2) by a handler that interrupted malloc(3)
 *
 * libc's fork() takes the locks of its allocator if the process has several threads, and
 * here it has, for libcof's. A handler that forks would wait for what the code that it
 * interrupted holds. In a process of one thread it takes none, and such a program is
 * right natively. So where the thread is inside libc's allocator (libc_heap.h) there is
 * a fork without it: _Fork(3), between the hooks of pthread_atfork(3), which are noted
 * as they are registered.
 *
 * Process-wide: cof-llvm defines fork(2).
 */
#ifndef FORKING_H
#define FORKING_H

/* Hooks, any of them NULL, of the library that has `dso` in it; they have been
 * registered with libc. Any thread. */
void fork_in_handler_note(void (*prepare)(void), void (*parent)(void),
		  void (*child)(void), void *dso);

#endif /* FORKING_H */
