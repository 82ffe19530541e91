/*
 * thread.h - a thread of the program's as the compiler needs it
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

struct cofl;

struct cofl_thread_critical {
	sigset_t signals;
	int      cancel;
	int      error;		/* errno */
};

/*
 * Until leave() no signal is handled and no cancellation acted upon. leave()
 * undoes what the compiler did to the thread's own variables.
 */
void cofl_thread_critical_enter(struct cofl_thread_critical *c);
void cofl_thread_critical_leave(struct cofl_thread_critical *c);

/* The end of a stack that is large enough. The process has one, for the holder
 * of the lock of rebuilds. NULL: no memory. */
char *cofl_thread_big_stack(void);

/* The calling thread, which is the program's, begins or ends. */
void cofl_thread_enter(struct cofl *host);
void cofl_thread_leave(struct cofl *host);
