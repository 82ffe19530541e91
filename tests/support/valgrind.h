/*
 * valgrind.h - what cannot be tested under valgrind
 *
 * Under valgrind, code of valgrind's runs the program's code, on stacks of
 * valgrind's, one thread at a time. So
 *
 *	sleeper   the stack pointer that the kernel shows for a sleeping thread
 *	          (/proc) is not on the thread's stack, so reclaim puts off what
 *	          it might be in
 *	running   the same for running threads, when it is not their turn
 *	perf      perf samples valgrind's code
 *	late      a signal comes when the turn is over, after 100,000 blocks of
 *	          code, so threads that live for a tick or two are not sampled
 *	memory    if the program may map no memory, valgrind may not either
 *	mremap    valgrind refuses to map shared memory once more (an old size
 *	          of 0)
 *	heap      brk(2) has a few MiB to grow into
 *
 * `make check-valgrind` sets COF_TEST_VALGRIND. For cmocka tests; a comment
 * beside each use names one of these.
 */
#pragma once

#include <stdbool.h>
#include <stdlib.h>

static inline bool under_valgrind(void)
{
	return getenv("COF_TEST_VALGRIND") != NULL;
}

static inline void skip_under_valgrind(void)
{
	if (under_valgrind())
		skip();
}
