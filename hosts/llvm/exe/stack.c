/*
 * stack.c - a larger stack than the program was promised
 *
 * Code as it is compiled at first, and code that counts, keeps each value in a
 * slot of its own: where functions are large and what they call was inlined, a
 * frame is ten times that of optimized code (cppcheck's recursion over a scope
 * takes less than 1 MB natively, and more than 8 so). Deep recursion that fits
 * natively must fit here, so the limit goes up; the stack takes memory for what
 * is used of it, as ever.
 *
 * The kernel asks for the limit when the stack grows, and keeps 128 MB below it
 * free of other mappings, or what the limit was at exec(2) if that is more.
 */
#include "exe/stack.h"

#include <sys/resource.h>

#define TIMES 8
#define MOST  ((rlim_t)96 << 20)	/* with room for what is at random */

void stack_raise(void)
{
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= MOST)
		return;		/* RLIM_INFINITY is the largest there is */
	most = limit.rlim_max < MOST ? limit.rlim_max : MOST;
	limit.rlim_cur = limit.rlim_cur < most / TIMES ?
			 limit.rlim_cur * TIMES : most;
	/* Refused: as it was. */
	setrlimit(RLIMIT_STACK, &limit);
}
