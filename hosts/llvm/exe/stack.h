/*
 * stack.h - a larger stack, for code that is not optimized yet
 */
#ifndef COFL_EXE_STACK_H
#define COFL_EXE_STACK_H

/* Raise the limit of the main thread's stack, before the program's first
 * instruction. */
void stack_raise(void);

#endif /* COFL_EXE_STACK_H */
