/*
 * namespace_malloc.c - see namespace_malloc.h
 *
 *	thread: inside[s] += 1 (A); closed? (B)		inside[s] -= 1
 *	fork:   closed = 1 (C); each inside[s] is 0 (D)
 *
 * All four are sequentially consistent. So either the thread sees that it is
 * closed, and steps back, or the fork sees the thread.
 */
#include "native/namespace_malloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *p, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);
extern void  __libc_free(void *p);

/* Threads share few of them, each on a cache line of its own. */
#define STRIPES 16u
static struct { _Alignas(64) atomic_uint n; } inside[STRIPES];
static atomic_uint closed;	/* forks under way */
static atomic_uint next;
static _Thread_local unsigned mine __attribute__((tls_model("initial-exec")));

static void wait_a_moment(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
}

static atomic_uint *enter(void)
{
	atomic_uint *n;

	if (mine == 0)
		mine = 1 + atomic_fetch_add(&next, 1) % STRIPES;
	n = &inside[mine - 1].n;
	for (;;) {
		atomic_fetch_add(n, 1);			/* A */
		if (atomic_load(&closed) == 0)		/* B */
			return n;
		atomic_fetch_sub(n, 1);
		wait_a_moment();
	}
}

static void leave(atomic_uint *n)
{
	atomic_fetch_sub(n, 1);
}

void cofl_namespace_malloc_fork_prepare(void)
{
	atomic_fetch_add(&closed, 1);			/* C */
	for (unsigned i = 0; i < STRIPES; i++)
		while (atomic_load(&inside[i].n) != 0)	/* D */
			wait_a_moment();
}

void cofl_namespace_malloc_fork_done(void)
{
	atomic_fetch_sub(&closed, 1);
}

/* By default each thread would have an arena: two mappings for a fork to copy,
 * and free memory that no other thread uses. */
__attribute__((constructor)) static void limit_arenas(void)
{
	mallopt(M_ARENA_MAX, 1);
}

EXPORT void cofl_namespace_malloc_trim(void)
{
	atomic_uint *n = enter();

	malloc_trim(0);
	leave(n);
}

EXPORT void *malloc(size_t bytes)
{
	atomic_uint *n = enter();
	void *p = __libc_malloc(bytes);

	leave(n);
	return p;
}

EXPORT void *calloc(size_t count, size_t bytes)
{
	atomic_uint *n = enter();
	void *p = __libc_calloc(count, bytes);

	leave(n);
	return p;
}

EXPORT void *realloc(void *old, size_t bytes)
{
	atomic_uint *n = enter();
	void *p = __libc_realloc(old, bytes);

	leave(n);
	return p;
}

EXPORT void *memalign(size_t align, size_t bytes)
{
	atomic_uint *n = enter();
	void *p = __libc_memalign(align, bytes);

	leave(n);
	return p;
}

EXPORT void *aligned_alloc(size_t align, size_t bytes)
{
	return memalign(align, bytes);
}

EXPORT int posix_memalign(void **out, size_t align, size_t bytes)
{
	void *p;

	if (align % sizeof(void *) != 0 || (align & (align - 1)) != 0 ||
	    align == 0)
		return EINVAL;
	p = memalign(align, bytes);
	if (p == NULL)
		return ENOMEM;
	*out = p;
	return 0;
}

EXPORT void free(void *p)
{
	int error = errno;
	atomic_uint *n;

	if (p == NULL)
		return;
	n = enter();
	__libc_free(p);
	leave(n);
	errno = error;
}
