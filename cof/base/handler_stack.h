/*
 * handler_stack.h - a signal handler runs a function on a stack of its own
 *
 * The alternate stack that the handler is on may be small. While the function
 * runs there is no alternate stack: the kernel would put the next signal at its
 * top, over the handler's own frame, as the stack pointer is elsewhere. So a
 * signal comes on the new stack.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* fn(arg) on a stack of so many bytes. False: no memory. Async-signal-safe if
 * fn is. */
bool cof_handler_stack_run(size_t bytes, void (*fn)(void *), void *arg);
