/*
 * handler.h - what a guest thread does when it is sampled
 *
 * Async-signal-safe to the letter: initial-exec TLS, the thread's own ring and
 * atomics; no libc call but for the address of errno (process/process.c), no lock, no
 * system call, 1 KiB of stack. If stacks are asked for, a frame that has unwind
 * tables costs what threads/unwind.h says, and the stack that libunwind takes.
 *
 * A thread that is not attached, or just detaching, or whose instance stops,
 * counts nothing. How cof_free() keeps clear of a handler under way: threads/threads.h.
 */
#ifndef COF_SAMPLER_HANDLER_H
#define COF_SAMPLER_HANDLER_H

#include <signal.h>

/* A cof_signal_fn (process/process.h). */
void cof_handler(int sig, siginfo_t *info, void *ucontext);

#endif /* COF_SAMPLER_HANDLER_H */
