/*
 * fork_handlers.h - what libcof's side does around forks
 *
 * pthread_atfork(3) allocates by the program's malloc(3), which libcof's
 * threads may not call. So the program's side registers once, and calls these.
 */
#pragma once

/* One more. Any may be NULL. 0, or ENOMEM. Thread: any, not during a fork. */
int fork_handlers_add(void (*prepare)(void), void (*parent)(void),
		      void (*child)(void));

/* In order of pthread_atfork(3): prepare() backwards. */
void fork_handlers_prepare(void);
void fork_handlers_parent(void);
void fork_handlers_child(void);
