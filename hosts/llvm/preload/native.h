/*
 * native.h - open libcof's side, libcof-native.so, and reach it
 *
 *	never             runtime did not start this process
 *	closed --> opening --> open
 *	                   `-> never
 *
 * A fork's child has what the parent had. Threads wait for one that opens it,
 * but not for long: it waits for the dynamic linker's lock, which may be held
 * by a constructor that makes a thread.
 */
#pragma once

#include <stdbool.h>

#include "preload/environment.h"
#include "preload/services.h"

/* It is closed, for now. `look` is libc_locks_begin()'s. */
void native_init(const struct environment *env,
		 void (*left_alone)(int status), void (*look)(void));

/* Will another process build what this one leaves? Before the host opens. */
void native_finished(bool is);

/* What the host is told. NULL: it is not open. Async-signal-safe. */
const struct cofl_events *native_events(void);

/* Is it closed for now; is it open, or never will be? Async-signal-safe. */
bool native_is_closed(void);
bool native_is_decided(void);

/*
 * Open it, unless another thread has or does; wait for that. `then` is called
 * on this thread when it is open, if it was this call that opened it. Thread:
 * the program's only one, with all signals blocked, where it may allocate.
 */
void native_open(void (*then)(void));

/*
 * Have a thread of libcof's open it, and call `then`. The caller is the
 * program's only thread, outside of libc and the dynamic linker; it may be in a
 * signal handler. False: it never will be open, or is decided.
 */
bool native_open_aside(void (*then)(void));

/* While another thread opens it, wait, but not for long. */
void native_wait(void);

/* Never open it if it is closed; if it is being opened, wait. */
void native_forgo(void);

/* Around a fork, with what libcof's side does around it (fork_handlers.h):
 * nobody is opening it. The last is for the child. */
void native_hold(void);
void native_leave(void);
void native_forked(void);
