/*
 * allocator_none.c - malloc(3) is somebody else's: a sanitizer's, or libc's alone
 */
#include "malloc/allocator.h"

void allocator_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx)
{
	(void)find, (void)ctx;
}

void allocator_thread_begin(void) { }
void allocator_thread_end(void) { }
