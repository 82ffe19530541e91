/*
 * handler.h - the sampling signal's handler, on a guest thread
 *
 * Async-signal-safe: it uses initial-exec TLS, the thread's own ring and
 * atomics. It takes no lock, makes no system call, uses 1 KiB of stack and
 * calls nothing of libc but for the address of errno (process/process.c). If
 * stacks are asked for, a frame with unwind tables costs what threads/unwind.h
 * says, and the stack that libunwind takes.
 *
 * The handler does nothing on a thread that is not attached, that is detaching,
 * or whose instance stops. threads/threads.h says how cof_free() waits for a
 * running handler.
 */
#pragma once

#include <signal.h>

/* A cof_signal_fn (process/process.h). */
void cof_handler(int sig, siginfo_t *info, void *ucontext);
