/*
 * onstack.h - run a function on another stack
 *
 * LLVM recurses deeply. A guest thread that calls a method for the first time
 * may have little stack left: a small thread, a signal stack, a fiber.
 */
#pragma once

/* Call fn(arg) with the stack pointer at `top`, aligned to 16 bytes. */
void cofl_onstack(void *top, void (*fn)(void *), void *arg);
