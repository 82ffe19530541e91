/*
 * tls.h - the program's thread-local variables
 *
 * All of them lie in one image. There are two ways to reach them:
 *
 *	room	They fit into COFL_TLS_ROOM bytes, as they mostly do. Each
 *		thread has them at a fixed distance from its thread pointer, as
 *		native code does ("local exec" in Drepper, "ELF Handling For
 *		Thread-Local Storage"): in a room that cof-llvm reserves among
 *		its own variables.
 *	block	They do not fit. Code calls __tls_get_addr(), the ABI's
 *		general-dynamic way, for which cofl_tls_get_addr() stands in. A
 *		thread gets its block when it begins, or, if nobody saw it
 *		begin, at its first access.
 *
 * The compiler chooses by the program alone (ir/copy.c), so all code of a
 * program goes the same way.
 *
 * Process-wide: the image becomes the room's first content in each new thread.
 * It is written once, before the program runs, to where the dynamic linker
 * copies from.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/symbols.h"

#define COFL_TLS_ROOM  8192u	/* bytes */
#define COFL_TLS_ALIGN 64u	/* of the room, and the most in it */

/* Do variables of `size` bytes in all fit into the room? */
static inline bool cofl_tls_fits(uint64_t size, uint64_t align)
{
	return size <= COFL_TLS_ROOM && align <= COFL_TLS_ALIGN;
}

/* The distance in bytes of the room from the thread pointer; negative. */
intptr_t cofl_tls_distance(void);

/* The program's variables take `size` bytes. Once, before code is bound to
 * them. */
void  cofl_tls_measured(size_t size, size_t align);

/* Are the program's variables in the room? After measured(). */
bool  cofl_tls_in_room(void);

/* Set the image, relocated, without the zeros at its end. Once, by the
 * program's first thread, before guest code runs. The bytes are borrowed for
 * good. */
void  cofl_tls_image(const void *bytes, size_t n_bytes);

/* Make the calling thread's copy now: its first use may be in a signal
 * handler. */
void  cofl_tls_thread_begin(void);

/* The ABI's __tls_get_addr(); module 0 is the program. Thread: any. */
void *cofl_tls_get_addr(const struct cofl_tls_index *index);

/* Find a thread-local variable of a shared library. 0, or -1: not found. */
int   cofl_tls_of_process(const char *name, struct cofl_tls_index *out);
