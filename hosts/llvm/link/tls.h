/*
 * tls.h - the program's thread-local variables
 *
 * All of them lie in one image. Where they are few, which is the rule, each thread has
 * them at a fixed distance from its thread pointer, as natively ("local exec" in
 * Drepper's "ELF Handling For Thread-Local Storage"): in a room that cof-llvm keeps
 * among its own, COFL_TLS_ROOM bytes. Others are asked for in the general-dynamic way
 * of the ABI, by __tls_get_addr(), for which cofl_tls_get_addr() stands in; a thread
 * gets its copy of these when it begins, or, if nobody saw it begin, when it first asks.
 * Which way it is the compiler decides by the program alone (ir/copy.c), so it is the same
 * for all that is compiled of it.
 *
 * Process-wide: the room's first content in each new thread is the image, for it is
 * written where the dynamic linker copies from, once, before the program runs.
 */
#ifndef COFL_LINK_TLS_H
#define COFL_LINK_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/symbols.h"

#define COFL_TLS_ROOM  8192u	/* bytes */
#define COFL_TLS_ALIGN 64u	/* of the room, so the most of what is in it */

/* Do variables of `size` bytes in all lie in the room? */
static inline bool cofl_tls_fits(uint64_t size, uint64_t align)
{
	return size <= COFL_TLS_ROOM && align <= COFL_TLS_ALIGN;
}

/* How far from the thread pointer the room is; negative. */
intptr_t cofl_tls_distance(void);

/* All of the program's variables: before code is bound to them. Once. */
void  cofl_tls_measured(size_t size, size_t align);
bool  cofl_tls_in_room(void);

/* The image, relocated, without what is zero at its end. Set once, before any guest
 * code runs, by the program's first thread. The bytes are borrowed for good. */
void  cofl_tls_image(const void *bytes, size_t n_bytes);

/* The calling thread's copy, now: its first use may be in a signal handler. */
void  cofl_tls_thread_begin(void);

void *cofl_tls_get_addr(const struct cofl_tls_index *index);

/* Where a thread-local variable of a shared library is; -1: not found. */
int   cofl_tls_of_process(const char *name, struct cofl_tls_index *out);

#endif /* COFL_LINK_TLS_H */
