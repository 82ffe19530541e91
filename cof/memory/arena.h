/*
 * arena.h - the addresses of libcof's arena, on jemalloc
 *
 *	reserved at once   [ extents in use or retained | not touched yet ........ ]
 *
 * An arena of jemalloc takes its memory from anywhere. libcof's takes it from one
 * range of addresses, so that who stands in for malloc(3) can tell by a pointer
 * whose allocator it is from: a program's runtime then leaves the program libc's,
 * which it would have natively, and has jemalloc for its compiler. What is freed
 * stays in the range for the arena's next extents; pages go back to the kernel.
 *
 * The hooks are those of jemalloc(3), "arena.<i>.extent_hooks".
 *
 * Process-wide, as the arena is. Thread: any.
 */
#ifndef COF_MEMORY_ARENA_H
#define COF_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Constant once the arena is made; no bytes: it is not in one range. */
extern uintptr_t cof_arena_start;
extern size_t    cof_arena_bytes;

/* Is p in the arena? */
static inline bool cof_arena_holds(const void *p)
{
	return (uintptr_t)p - cof_arena_start < cof_arena_bytes;
}

/* Is a compiler at work on this thread, and its memory to be the arena's? mem.c's. */
extern _Thread_local bool cof_mem_compiling;

/* Flags of mallocx(3) for a block in the arena, past all caches; 0: there is none.
 * Thread: any. mem.c's. */
int cof_mem_arena_flags(void);

/* For mallctl("arenas.create"), which copies nothing. NULL: no addresses left. */
struct cof_arena_hooks;
struct cof_arena_hooks *cof_arena_reserve(void);

#endif /* COF_MEMORY_ARENA_H */
