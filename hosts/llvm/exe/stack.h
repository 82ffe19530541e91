/*
 * stack.h - larger stacks, for code that is not optimized yet and for what the
 * host keeps on them
 */
#pragma once

#include <pthread.h>
#include <stddef.h>

/* What the host may take of each thread's stack, in whole pages. */
size_t stack_hosts_part(void);

/* Raise the limit of the main thread's stack, before the program's first
 * instruction. */
void stack_raise(void);

/*
 * The attributes with which to create a thread of the program: `asked`, or
 * *grown, a copy with a larger stack. The copy is valid as long as *asked, and
 * is not destroyed. For a stack of the program's own see given_stack.h.
 */
const pthread_attr_t *stack_grown(const pthread_attr_t *asked,
				  pthread_attr_t *grown);
