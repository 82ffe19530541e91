/*
 * native.h - open libcof's side, libcof-native.so, and reach it
 *
 *	closed --claim--> opening --> open
 *	                          `-> failed
 *
 * It is opened once in a process; a fork's child has what the parent had.
 */
#pragma once

#include <stdbool.h>

#include "preload/services.h"

/* What the host is told. NULL: it is not open. Async-signal-safe. */
const struct cofl_events *native_events(void);

/* May it still be opened? Async-signal-safe. */
bool native_is_closed(void);

/* It opens, or never will. Async-signal-safe. */
bool native_is_decided(void);

/* Open it. False: it is opened already, or somebody else is at it. Thread: any,
 * with all signals blocked; takes the dynamic linker's locks. */
bool native_open(void);

/* Never open it. False: somebody is at it, or was. */
bool native_forgo(void);

/* Is the calling thread inside a call by which libcof makes a thread? */
bool native_creates_thread(void);

/* Until leave() nobody opens it; waits while somebody is. */
void native_hold(void);
void native_leave(void);

void native_init(const char *program, const char *options);
