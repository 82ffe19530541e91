/*
 * stack.h - a larger stack, for code that is not optimized yet
 */
#pragma once

/* Raise the limit of the main thread's stack, before the program's first
 * instruction. */
void stack_raise(void);
