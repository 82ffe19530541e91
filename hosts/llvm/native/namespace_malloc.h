/*
 * namespace_malloc.h - malloc(3) of libcof's namespace, which forks of the
 * program pass
 *
 * libcof-native.so defines malloc(3) and its family for all that is loaded in
 * its namespace. They are that libc's. But that libc does not know of forks:
 * the program's libc makes them. So a fork waits until no thread is inside, and
 * a child finds no lock held and no list half changed.
 */
#pragma once

/* Give back what is free in it. A fork waits meanwhile. */
void cofl_namespace_malloc_trim(void);

/* Around a fork, on the thread that forks. */
void cofl_namespace_malloc_fork_prepare(void);
void cofl_namespace_malloc_fork_done(void);
