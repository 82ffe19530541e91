/*
 * tls.h - the program's thread-local variables
 *
 * All of them lie in one image; each thread gets its copy when it begins, or,
 * if nobody saw it begin, when it first asks.
 * Code asks in the general-dynamic way of the ABI, by __tls_get_addr(), for
 * which cofl_tls_get_addr() stands in.
 */
#ifndef COFL_TLS_H
#define COFL_TLS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols.h"

/* The image, relocated, and its whole size with what is zero at its end. Set
 * once, before any guest code runs. The bytes are borrowed for good. */
void  cofl_tls_image(const void *bytes, size_t n_bytes, size_t size, size_t align);

/* The calling thread's copy, now: its first use may be in a signal handler. */
void  cofl_tls_thread_begin(void);

void *cofl_tls_get_addr(const struct cofl_tls_index *index);

/* Where a thread-local variable of a shared library is; -1: not found. */
int   cofl_tls_of_process(const char *name, struct cofl_tls_index *out);

#endif /* COFL_TLS_H */
