/*
 * heap_room.c - see heap_room.h
 *
 * If the heap grows meanwhile, brk(2) fails, and libc takes memory by mmap(2).
 */
#include "native/heap_room.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/align.h"
#include "base/units.h"

#define ROOM_BYTES ((size_t)256 << 20)

static void *kept;	/* NULL: something else is there */

void cofl_heap_room_keep(void)
{
	uintptr_t end = cof_align_up((uintptr_t)syscall(SYS_brk, 0),
				     COF_PAGE_BYTES);
	void *p = mmap((void *)end, ROOM_BYTES, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
		       MAP_FIXED_NOREPLACE, -1, 0);

	kept = p != MAP_FAILED ? p : NULL;
}

void cofl_heap_room_give(void)
{
	if (kept != NULL)
		munmap(kept, ROOM_BYTES);
	kept = NULL;
}
