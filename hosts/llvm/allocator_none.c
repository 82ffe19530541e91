/*
 * allocator_none.c - malloc(3) is somebody else's: a sanitizer's, or libc's alone
 */
#include "allocator.h"

void allocator_thread_begin(void) { }
void allocator_thread_end(void) { }
