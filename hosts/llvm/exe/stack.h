/*
 * stack.h - room on the stack for code that is not optimized yet
 */
#ifndef STACK_H
#define STACK_H

/* Before the program's first instruction; of the main thread. */
void stack_raise(void);

#endif /* STACK_H */
