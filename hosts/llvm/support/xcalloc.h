/*
 * xcalloc.h - allocate, or leave cofl_recover()
 *
 * Where memory is refused, the reserve (memory_reserve.h) is given back first.
 * If that does not help it is a fatal error (fatal.h). So a thread that is in
 * no cofl_recover(), or holds a lock that it took there, does not call these
 * where a program runs in the process. All is the caller's to
 * free(3), and never NULL, even if it has no bytes. Thread: any.
 */
#pragma once

#include <stddef.h>

/* Zeroed memory for n elements of `bytes` each. */
void *cofl_xcalloc(size_t n, size_t bytes);

/* realloc(3) for n elements of `bytes` each. */
void *cofl_xcalloc_grow(void *p, size_t n, size_t bytes);

/* A copy of the string; of its first n characters. */
char *cofl_xcalloc_dup(const char *s);
char *cofl_xcalloc_ndup(const char *s, size_t n);

/* A new string. */
char *cofl_xcalloc_printf(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
