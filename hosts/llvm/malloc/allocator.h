/*
 * allocator.h - what malloc(3) must know of the program's threads
 */
#pragma once

#include <stdint.h>

/* The program is bound to its libraries, whose constructors have not run yet.
 * find(ctx, name) is the program's own function of an allocator, or 0. */
void allocator_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx);

/* The calling thread, not the program's first, begins; or it is about to end,
 * and only libc frees on it from now on. */
void allocator_thread_begin(void);
void allocator_thread_end(void);
