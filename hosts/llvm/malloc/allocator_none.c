/*
 * allocator_none.c - malloc(3) is a sanitizer's, or libc's alone; see
 * allocator.h
 */
#include "malloc/allocator.h"

void allocator_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx)
{
	(void)find, (void)ctx;
}

void allocator_thread_begin(void) { }
void allocator_thread_end(void) { }
