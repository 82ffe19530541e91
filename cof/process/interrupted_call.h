/*
 * interrupted_call.h - a system call that libcof's signal interrupted
 *
 * After libcof's handler the kernel begins the call again (SA_RESTART). With a
 * signal of the program's that comes at the same moment it does so too, if
 * libcof's is the first in its queue: then the program's handler runs between
 * the two, and the call waits on. Without libcof a handler that has no
 * SA_RESTART ends the call with EINTR, and a program that reads until alarm(2)
 * would wait for ever.
 *
 * A sample may come at that moment however rare samples are. The kernel notes
 * in its tick that a thread's CPU timer has expired, and raises the signal when
 * the thread leaves the kernel (CONFIG_POSIX_CPU_TIMERS_TASK_WORK). If the
 * thread is about to sleep in a call, that is when something wakes it.
 */
#pragma once

#include <ucontext.h>

/*
 * At the end of libcof's handler, which blocks all signals: end the call of
 * `context` with EINTR if a signal does so that comes next. If `context` is in
 * no such call this costs nothing. Async-signal-safe.
 */
void cof_interrupted_call_end(ucontext_t *context);
