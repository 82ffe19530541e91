/*
 * valgrind.h - what cannot be tested under valgrind
 *
 * There the program's code is run by code of valgrind's, on stacks of
 * valgrind's, one thread at a time. So
 *
 *	sleeper   where the kernel says that a thread sleeps (/proc) is not on
 *	          its stack: reclaim puts off what it might be in
 *	running   the same of threads that run, when it is not their turn
 *	perf      what perf samples is valgrind
 *	late      a signal comes when the turn is over, after 100,000 blocks of
 *	          code: threads that live for a tick or two are not sampled
 *	memory    where the program may map none, valgrind may not either
 *	mremap    it refuses to map shared memory once more (an old size of 0)
 *
 * `make check-valgrind` says in the environment that it is there. For cmocka
 * tests; beside each use stands which of these it is.
 */
#ifndef TESTS_VALGRIND_H
#define TESTS_VALGRIND_H

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

#endif /* TESTS_VALGRIND_H */
