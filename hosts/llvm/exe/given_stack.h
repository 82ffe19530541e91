/*
 * given_stack.h - threads on stacks that the program gave
 * (pthread_attr_setstack(3))
 *
 * libc puts a thread's own data at the end of its stack: natively 3 KB, and
 * here also the thread-local variables of the host's libraries, some 12 KB. So
 * such a thread begins on a stack of libc's, which holds that data, and goes to
 * the program's stack to run the program's function. There it has all of the
 * stack. Destructors of thread-local variables and keys run on libc's, which is
 * as large.
 *
 * pthread_getattr_np(3) is stood in for: it reports the program's stack.
 */
#pragma once

#include <pthread.h>

struct given_stack;

/*
 * The stack that the attributes give; `instead` are then the same attributes
 * without it, for pthread_create(3). NULL: they give none, or no memory.
 */
struct given_stack *given_stack_of(const pthread_attr_t *attr,
				   pthread_attr_t *instead);

/* After pthread_create(3); thread NULL: it failed. */
void given_stack_created(struct given_stack *stack, pthread_attr_t *instead,
			 const pthread_t *thread);

/* On the new thread: its stack is this; run a function there; and it is left,
 * which does nothing on other threads. */
void  given_stack_begin(struct given_stack *stack);
void *given_stack_run(void *(*run)(void *), void *arg);
void  given_stack_end(void);

/* In the child of a fork. */
void given_stack_forked(void);
