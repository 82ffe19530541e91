/*
 * stack.h - stacks of libcof's threads
 *
 * A thread of libcof's ends with the process, or when libcof gives up for good,
 * so its stack is not used again. In a fork's child the stacks of the parent's
 * threads are: a chain of forks needs no more of them than one process.
 *
 * Thread: any.
 */
#pragma once

#include <stddef.h>

struct cofl_stack {
	void  *from;	/* lowest address; a page nobody may touch is below */
	size_t bytes;
};

/* 0, or EAGAIN. */
int cofl_stack_take(struct cofl_stack *out, size_t bytes);

/* It was not used. */
void cofl_stack_give(const struct cofl_stack *stack);
