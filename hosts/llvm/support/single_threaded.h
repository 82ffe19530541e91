/*
 * single_threaded.h - does the program have one thread only?
 *
 * In a process of one thread libc leaves out the locks of getc(3) and its kin,
 * and libstdc++ leaves out the atomic operations on the counts of shared
 * pointers. libcof's threads would end both for any program under it:
 *
 *	characters read one by one	1.7 times native's time
 *	shared pointers copied		1.6 times
 *
 * libcof's threads use neither the program's streams nor its pointers. So only
 * the program's own threads are counted here (exe/stdio.c,
 * dynlib/symbol_overrides.c).
 *
 * As in libc, a program that had several threads never counts as
 * single-threaded again.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/*
 * The program's __libc_single_threaded (<sys/single_threaded.h>), a char.
 * Relaxed: it is cleared before there is another thread to read it.
 */
extern _Atomic char single_threaded_word;

static inline bool single_threaded_is(void)
{
	return atomic_load_explicit(&single_threaded_word,
				    memory_order_relaxed) != 0;
}

/* Another thread is about to begin, or may begin unseen. */
static inline void single_threaded_end(void)
{
	atomic_store_explicit(&single_threaded_word, 0, memory_order_relaxed);
}
