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

#include "preload/services.h"

/* It is closed, for now. */
void native_init(const char *program, const char *options,
		 void (*left_alone)(int status));

/* What the host is told. NULL: it is not open. Async-signal-safe. */
const struct cofl_events *native_events(void);

/* Is it closed for now; is it open, or never will be? Async-signal-safe. */
bool native_is_closed(void);
bool native_is_decided(void);

/* Open it, unless another thread has or does; wait for that. True: it was
 * this call that opened it. Thread: any, with all signals blocked; takes the
 * dynamic linker's locks. */
bool native_open(void);

/* Never open it if it is closed; if it is being opened, wait. */
void native_forgo(void);

/* Around a fork: nobody is opening it. The last is for the child. */
void native_hold(void);
void native_leave(void);
void native_forked(void);

/* Is the calling thread inside a call by which libcof makes a thread? */
bool native_creates_thread(void);
