/*
 * single_threaded.h - has the program one thread only?
 *
 * A process of one thread does without locks in getc(3) and its kin, and without
 * atomic operations where C++ counts who shares a pointer. Libcof has threads, so libc
 * would have a program under it pay for them all its life: 1.7 times native's time where
 * characters are read one by one, 1.6 where shared pointers are copied. They are none
 * of the program's business: no thread of libcof's touches a stream or a pointer of the
 * program's. So who asks is told of the program's threads alone (exe/stdio.c, dynlib/symbol_overrides.c).
 *
 * As in libc it never goes back to one.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * What the program knows as __libc_single_threaded (<sys/single_threaded.h>), a char.
 * Relaxed: who ends it does so before there is another thread to see it.
 */
extern _Atomic char single_threaded_word;

static inline bool single_threaded_is(void)
{
	return atomic_load_explicit(&single_threaded_word, memory_order_relaxed) != 0;
}

/* Another thread is about to begin, or may without being seen. */
static inline void single_threaded_end(void)
{
	atomic_store_explicit(&single_threaded_word, 0, memory_order_relaxed);
}

#endif /* SINGLE_H */
