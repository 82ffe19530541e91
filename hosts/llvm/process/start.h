/*
 * start.h - when libcof's side is opened, and by whom the main thread attaches
 *
 *	begin     a timer on the main thread's CPU time; its signal is
 *	          libc's own (base/libc_signal.h)
 *	signal    is this a good moment? Then a thread opens libcof's side
 *	signal    and when it is open, the main thread attaches
 *
 * A program that ends before it has used start_ms of CPU time pays for making a
 * timer, and no more. There is no thread until then: it would make libc take
 * locks that a process of one thread does without.
 *
 * Neither pthread_create(3) nor what a thread needs to attach is
 * async-signal-safe: whoever holds their locks must not be interrupted by them.
 * So the signal does something only where it interrupted the executable's own
 * code (program_text.h) or what libcof built of it, which may be all that runs
 * if an earlier run cached it; and where that was not itself in a handler.
 * Otherwise the next signal looks again. As in cof/sampler/child_start.h, the
 * program is in a handler if it blocks signals, unless they are the same for
 * long.
 *
 * The handler stays for good, below libcof's own for the same signal. A signal
 * of a timer that is still on its way when the program executes another one is
 * discarded by the kernel.
 */
#pragma once

#include <stdbool.h>

#include "base/libc_signal.h"

#define START_SIGNAL COF_LIBC_SIGNAL_CANCEL

/* `options`: libcof's, with commas between. In the main thread, before the
 * program begins. */
void start_begin(const char *options);

/*
 * The program is about to have another thread: open libcof's side now, and
 * attach the calling thread, if it is the one that was to. False: libcof never
 * takes part.
 */
bool start_now(void);

/* Have the main thread look at libc's locks (own_threads/libc_locks.h) while it
 * runs. Async-signal-safe. */
void start_look_soon(void);

/* Is the caller in the process that libcof is in, and not in a child that has
 * its memory, as vfork(2)'s? Async-signal-safe. */
bool start_is_process(void);

/* Never open it, if it is not; and let no signal come any more. */
void start_forgo(void);
