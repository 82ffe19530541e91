/*
 * onstack.h - run a function on another stack
 *
 * LLVM recurses deeply, and a guest's thread may have little stack left when it
 * calls something for the first time: a small thread, a signal stack, a fiber.
 */
#pragma once

/* Call fn(arg) with the stack pointer at `top`, which is 16-byte aligned. */
void cofl_onstack(void *top, void (*fn)(void *), void *arg);
