/*
 * libc_heap.h - libc's allocator, by the names it leaves to who defines malloc() himself
 */
#ifndef LIBC_HEAP_H
#define LIBC_HEAP_H

#include <stddef.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *p, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void  __libc_free(void *p);
extern int   __libc_mallopt(int option, int value);

/* malloc_usable_size(3), which has no other name; p is not NULL. */
size_t libc_heap_usable(void *p);

#endif /* LIBC_HEAP_H */
