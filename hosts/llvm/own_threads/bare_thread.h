/*
 * bare_thread.h - a thread that the program's libc does not know of
 *
 * The first thread that pthread_create(3) makes changes libc for good: streams
 * are locked from then on, malloc(3) takes locks. The program has one thread,
 * so nothing of that may happen. A bare thread has what the dynamic linker
 * needs: thread-local variables, an identity for its locks, a place in its list
 * of threads, so that libraries it loads get theirs. Two of them open libcof's
 * namespace, whose own libc makes all other threads of libcof's, and end.
 *
 * glibc tells debuggers where these things are, and those descriptions are used
 * here (libthread_db).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct bare_thread {
	char  *block;		/* the thread pointer's value; NULL: none */
	void  *stack;
	int    alive;		/* until the kernel clears it */
	int    begins;		/* until it has left its maker's real-time
				 * scheduling, and files, if own_files */
	bool   own_files;
	void (*run)(void);
};

/*
 * Call `run` once on a bare thread, with all signals blocked. With own_files it
 * has a table of descriptors of its own, in which none but 2 is the program's:
 * what it opens is not among the program's. Returns once the thread has left
 * what it inherited. The caller is the program's only thread, is not inside the
 * dynamic linker or libc, and has the linker's heap open (linker_malloc.h); it
 * may be in a signal handler. False: it was not made; `why` has the reason.
 */
bool bare_thread_start(struct bare_thread *t, void (*run)(void),
		       bool own_files, char *why, size_t why_bytes);

/* Wait for its end, and free what it had. On a thread of libcof's. */
void bare_thread_join(struct bare_thread *t);

/* The calling thread has a table of its own from now on, as above. */
void bare_thread_own_files(void);
