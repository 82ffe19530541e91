/*
 * allocator.h - what malloc(3) is to know of the program's threads
 */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include <stdint.h>

/* The program is bound to its libraries, whose constructors did not run yet. What it
 * has of an allocator of its own is by find(ctx, name), or 0. */
void allocator_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx);

/* The calling thread, another than the program's first, begins; it is about to end, and
 * nothing but libc frees on it any more. */
void allocator_thread_begin(void);
void allocator_thread_end(void);

#endif /* ALLOCATOR_H */
