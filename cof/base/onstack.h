/*
 * onstack.h - run a function on another stack
 *
 * A guest thread may have little stack left: a small thread, a signal stack, a
 * fiber. Compilers recurse deeply. Hosts compile this function into their own
 * libraries.
 */
#pragma once

/* Call fn(arg) with the stack pointer at `top`, aligned to 16 bytes. */
void cof_onstack(void *top, void (*fn)(void *), void *arg);
