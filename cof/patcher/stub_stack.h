/*
 * stub_stack.h - the stacks on which first calls run
 *
 * The stack of the program's that makes a first call may have a few hundred
 * bytes left: a coroutine's, a signal's, a small thread's. Nobody knows where
 * it ends. So the host runs on a stack of libcof's.
 *
 * There is one for each first call that is under way, no matter on which
 * thread, in a pool of the process. Signals are blocked from take() to give(),
 * so a handler of the program's never runs on such a stack, nor leaves it by
 * siglongjmp(). Where there is no memory for one, the host runs on the
 * caller's.
 *
 * The trampoline calls both before it has saved the vector registers, so they
 * use none. Thread: any, and signal handlers.
 */
#pragma once

#include <stdint.h>

/* How much of it the host has, with what the trampoline saves. */
#define COF_STUB_STACK_BYTES 262144u

/*
 * Block all signals, and store the mask that was. Returns the end of a stack,
 * aligned to 64 bytes, or 0.
 */
uintptr_t cof_stub_stack_take(uint64_t *mask);

/* `end` as take() returned it, and the mask. Deals with pending signals. */
void cof_stub_stack_give(uintptr_t end, const uint64_t *mask);

/* Have one stack there, so that the first call makes none. */
void cof_stub_stack_prepare(void);
