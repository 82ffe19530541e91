/*
 * arena.h - the address range of libcof's arena of jemalloc
 *
 *	reserved at once   [ not given out yet | extents in use or retained ]
 *
 * An arena of jemalloc takes its memory from anywhere. libcof's arena takes it
 * from one range of addresses, so a host that replaces malloc(3) can tell by a
 * pointer which allocator it is from. Such a host leaves libc's allocator,
 * which the program would have natively, to the program, and has jemalloc for
 * its compiler. Freed addresses stay in the range for the arena's next extents;
 * their pages go back to the kernel. The last addresses are given out first:
 * libraries are mapped above the range, and what lies together shares pages of
 * page tables, which fork(2) copies.
 *
 * The hooks are those of jemalloc(3), "arena.<i>.extent_hooks".
 *
 * Process-wide, as the arena is. Thread: any.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Constant once the arena is made. 0 bytes: the arena is not in one range. */
extern uintptr_t cof_arena_start;
extern size_t    cof_arena_bytes;

/* Is p in the arena? */
static inline bool cof_arena_holds(const void *p)
{
	return (uintptr_t)p - cof_arena_start < cof_arena_bytes;
}

/*
 * Is a compiler at work on this thread, whose memory is to come from the arena?
 * Written by mem.c.
 */
extern _Thread_local bool cof_mem_compiling;

/*
 * Is jemalloc set to serve the thread from the arena? A compiler begins in the
 * boot heap, if there is one. Once that has no room the host's allocator calls
 * go_inside(). False: there is no arena. In mem.c.
 */
extern _Thread_local bool cof_mem_inside;
bool cof_mem_go_inside(void);

/*
 * Flags of mallocx(3) for a block in the arena, past all caches. 0: there is no
 * such arena. In mem.c.
 */
int cof_mem_arena_flags(void);

/* Take addresses from the range, without access, aligned to their number. NULL:
 * none are left, or there is no range. */
void *cof_arena_take(size_t bytes);

/*
 * Reserve the range, if it is not yet. Returns hooks for
 * mallctl("arenas.create"), which does not copy them. NULL: no addresses left.
 */
struct cof_arena_hooks;
struct cof_arena_hooks *cof_arena_reserve(void);
