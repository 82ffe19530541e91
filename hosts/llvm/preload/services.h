/*
 * services.h - what the program's side and libcof's side ask of each other
 *
 *	the program's namespace          a namespace of libcof's
 *	program, its libc, ...           libc, libcof, the host, LLVM
 *	libcof-preload.so  --services-->  libcof-native.so
 *	                   <--events----
 *
 * Each side has a libc of its own (dlmopen(3)), so no block that one side's
 * malloc(3) returned may be freed on the other, and neither opens streams of
 * the other. Both structs are constant once cofl_native_open() returned.
 */
#pragma once

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the program's libc. */
struct cofl_services {
	size_t size;
	const char *path;	/* of the executable, as runtime was given it */
	const char *options;	/* libcof's, with commas between */
	char **environment;	/* libcof's, which is not the program's */
	bool  is_child;		/* of a fork, before libcof's side was opened */
	bool  finishes;		/* what runs left: the program does not begin */
	bool  is_finished;	/* a process will, after this one */

	void *scope;		/* the program's global one, for dlsym(3) */

	int   (*key_create)(pthread_key_t *key, void (*destroy)(void *));
	int   (*key_delete)(pthread_key_t key);
	int   (*set_specific)(pthread_key_t key, const void *value);
	void *(*get_specific)(pthread_key_t key);

	/* As pthread_atfork(3). */
	int   (*at_fork)(void (*prepare)(void), void (*parent)(void),
			 void (*child)(void));

	/*
	 * None of the program's threads is left, and the first one ended with
	 * `status`: end the process, with the status of the last one.
	 */
	void  (*left_alone)(int status);

	/*
	 * Threads of libcof's are this namespace's libc's; the program's does
	 * not know them. What a new one calls first, and last. begins() is
	 * false if there are too many.
	 */
	bool  (*own_thread_begins)(void);
	void  (*own_thread_ends)(void);

	/* Around making one (own_threads.h). */
	void  (*own_thread_making)(void);
	void  (*own_thread_made)(void);

	/* Write a line on the stderr that the program was started with, if it
	 * still is descriptor 2. */
	void  (*line)(const char *line);

	/* Around what takes the dynamic linker's locks on a thread of libcof's;
	 * around each event, on one of the program's. */
	void  (*enter)(void);
	void  (*leave)(void);
};

/* What the host is told. NULL: it does not want to know. Thread: the one it
 * happens on, unless said. */
struct cofl_events {
	size_t size;
	int    signal;		/* libcof's for samples; 0: none */

	/*
	 * A thread of the program. It may be in a signal handler, which found
	 * it in the executable's own code or in libcof's, and on a stack that
	 * is not its own (256 KB). Its signals are blocked then, but for the
	 * one of base/libc_signal.h by which rights change.
	 */
	void (*thread_begins)(void);
	void (*thread_ends)(void);	/* in its last key destructors */

	/* pthread_cancel(3) was called. */
	void (*cancels)(void);

	/* sigaction(2) for `signal`, where libc does not keep it from programs;
	 * the host chains to the program's. */
	int  (*sigaction)(int sig, const struct sigaction *act,
			  struct sigaction *old);

	/* The process ends by exit(3); by _exit(2), which may be in a signal
	 * handler. */
	void (*exits)(void);
	void (*exits_async_safe)(void);

	/* Option finish, in place of the program: as cof_finish(). */
	uint64_t (*finish)(void);

	/* After exits(): is a process to finish what this one counted? `may`:
	 * could it be started? Not asked if there is nothing to do. */
	bool (*unfinished)(bool (*may)(void));

	/* A filter that may kill is about to be installed: no system call of
	 * libcof's from now on (cof_quiesce()). */
	void (*quiesce)(void);

	/* The program may write to [from, from + bytes) of its code from now
	 * on. */
	void (*code_writes)(const void *from, size_t bytes);

	/* The same of constants of its, or of what is between them. */
	void (*constant_writes)(const void *from, size_t bytes);

	/* The program switches stacks itself: no code is freed any more. */
	void (*switches_stacks)(const char *why);

	/* For _dl_find_object(3): true if `pc` is in code of libcof's, and
	 * *found is filled in. Async-signal-safe. */
	bool (*find_object)(const void *pc, struct dl_find_object *found);

	/* For dl_iterate_phdr(3): the first of libcof's code that begins at
	 * `from` or behind; true if there is some. *changes: how often any came
	 * or went. Async-signal-safe. */
	bool (*next_object)(const void *from, struct dl_find_object *found,
			    uint32_t *changes);
};

/* What libcof-libc.so exports, which is opened first, and makes the namespace.
 * 0, or an errno(3). */
typedef int cofl_libc_init_fn(const struct cofl_services *services);

/*
 * And this: make the first two threads of libcof's. One calls `before`, makes
 * the other, which calls `run`, and then all threads that that one asks for, so
 * that they do not have its files. Both end when `run` has returned. 0, or an
 * errno(3).
 */
typedef int cofl_libc_first_thread_fn(void (*before)(void), void (*run)(void));

/*
 * What libcof-native.so exports. 0, or an error after which nothing is left;
 * `why` has the reason, "" if there is nothing to say. Thread: any, with its
 * signals blocked; mostly one that is there for this call alone, beside the
 * program's, which goes on.
 */
typedef int cofl_native_open_fn(const struct cofl_services *services,
				struct cofl_events *events, char *why,
				size_t why_bytes);
