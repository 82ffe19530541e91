/*
 * xcalloc.h - memory, or the end
 */
#ifndef COFL_SUPPORT_XCALLOC_H
#define COFL_SUPPORT_XCALLOC_H

#include <stddef.h>

/* For n things of so many bytes, all zero: never NULL, also if n is 0. To be
 * freed. */
void *cofl_xcalloc(size_t n, size_t bytes);

#endif /* COFL_SUPPORT_XCALLOC_H */
