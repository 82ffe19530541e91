/*
 * allocator.h - what malloc(3) is to know of the program's threads
 */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

/* The calling thread, another than the program's first, begins; it is about to end, and
 * nothing but libc frees on it any more. */
void allocator_thread_begin(void);
void allocator_thread_end(void);

#endif /* ALLOCATOR_H */
