/*
 * stage_stack.h - the stack of a thread of libcof's, which forks do not copy
 *
 *	guard | what the thread uses | its record in libc
 *	`---- not in a child ------'
 *
 * libc's fork(2) writes to the record of each thread for which it made the
 * stack, a page to copy for each, and the kernel copies the mappings. So libcof
 * makes them. The record stays in the child, since libc's lists lead through
 * it.
 *
 * No such thread may fork: its child would have no stack.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct cof_stage_stack {
	char  *at;		/* NULL: there is none */
	size_t bytes;
};

/* Make one, as large as libc's would be, and set `attr` to it. False: no
 * memory; then libc's will do. Thread: any. */
bool cof_stage_stack_make(struct cof_stage_stack *stack, pthread_attr_t *attr);

/* From now on children do not get it. Thread: the one it is of. */
void cof_stage_stack_keep(const struct cof_stage_stack *stack);

/* Once the thread is joined, or could not be made. */
void cof_stage_stack_free(struct cof_stage_stack *stack);
