/*
 * stack.c - raise the limit of the main thread's stack
 *
 * First versions and instrumented versions keep each value in a slot of its
 * own. If the functions are large and their callees were inlined, a frame is
 * ten times that of optimized code: cppcheck's recursion over a scope takes
 * less than 1 MB natively, and more than 8 MB so. Deep recursion that fits
 * natively must fit here, so the limit goes up. The stack still takes memory
 * only for what is used.
 *
 * The kernel reads the limit when the stack grows. It keeps 128 MB below the
 * stack free of other mappings, or as much as the limit was at exec(2) if that
 * is more.
 */
#include "exe/stack.h"

#include <sys/resource.h>

#define TIMES 8
#define MOST  ((rlim_t)96 << 20)	/* leaves room for randomization */

void stack_raise(void)
{
	struct rlimit limit;
	rlim_t most;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= MOST)
		return;		/* RLIM_INFINITY is the largest there is */
	most = limit.rlim_max < MOST ? limit.rlim_max : MOST;
	limit.rlim_cur = limit.rlim_cur < most / TIMES ?
			 limit.rlim_cur * TIMES : most;
	/* If it fails, the limit stays as it was. */
	setrlimit(RLIMIT_STACK, &limit);
}
