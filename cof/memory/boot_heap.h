/*
 * boot_heap.h - libcof's first blocks, in one place
 *
 *	[ size of the block at each granule | blocks | no access yet ]
 *
 * jemalloc's tables and arenas take pages that lie megabytes apart, and fork(2)
 * copies a page of page tables for each 2 MiB with a page in it, which costs as
 * much as five mappings. Most programs under libcof need some hundred KiB, and
 * jemalloc only once a compiler is loaded. So a host may open this heap first:
 * a part of the arena's range, from which libcof takes blocks until it is full.
 *
 * Blocks are rounded up to a few sizes, and a freed block is handed out again
 * for the same size only. Nothing goes back to the kernel.
 *
 * Process-wide. Thread: any, between cof_arena_fork_enter() and _leave() but
 * for take().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/arena_fork.h"

#define COF_BOOT_HEAP_BYTES ((size_t)2 << 20)	/* what one page of page tables
						 * leads to */

/* Constant once open. 0: it is not. */
extern uintptr_t cof_boot_heap_start;

/* Is p in it? */
static inline bool cof_boot_heap_holds(const void *p)
{
	return cof_boot_heap_start != 0 &&
	       (uintptr_t)p - cof_boot_heap_start < COF_BOOT_HEAP_BYTES;
}

/*
 * From now on libcof's blocks are in it while there is room. Before any other
 * call of libcof's memory, in a process of one thread. False: no memory.
 */
bool  cof_boot_heap_open(void);

/* A zeroed block, aligned to a cache line or, if that is more, to `alignment`,
 * a power of two. NULL: the heap is not open, or there is no room. */
void *cof_boot_heap_alloc(size_t bytes, size_t alignment);

/* The same, with enter and leave around it. */
static inline void *cof_boot_heap_take(size_t bytes, size_t alignment)
{
	void *p;

	if (cof_boot_heap_start == 0)
		return NULL;
	cof_arena_fork_enter();
	p = cof_boot_heap_alloc(bytes, alignment);
	cof_arena_fork_leave();
	return p;
}

/* The size that the block was rounded up to. */
size_t cof_boot_heap_size(const void *p);

void  cof_boot_heap_free(void *p);

/* Around a fork amid its work: by arena_fork.c. */
void  cof_boot_heap_lock(void);
void  cof_boot_heap_unlock(void);
