/*
 * allocator.c - malloc(3) and its family: libc's for the program, jemalloc for the
 * compiler
 *
 * Process-wide: cof-llvm defines these, and all libraries find them here. Natively
 * the program has libc's allocator; another one may be faster or slower (sqlite: 8 %
 * slower), takes other memory, and does not know mallopt(3). LLVM is to give all of
 * its memory back when it rests, which takes an arena of its own. What comes from
 * where: libcof says whether a compiler is at work on this thread, and a block is
 * known by its address (heap.h). Between the program and libc is a magazine of freed
 * blocks, for libc takes locks that it would not take natively (magazine.h).
 *
 * Operators new and delete are libstdc++'s, and come here; jemalloc has some too,
 * so libstdc++ is linked first.
 */
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <jemalloc/jemalloc.h>

#include "allocator.h"
#include "heap.h"
#include "heapgate.h"
#include "libc_heap.h"
#include "magazine.h"

#define API __attribute__((visibility("default")))

#define LIKELY(x) __builtin_expect(x, 1)
#define UNLIKELY(x) __builtin_expect(x, 0)

/* -- In the arena ----------------------------------------------------------- */

/* Past the cache of a thread that never takes anything from there. */
static void to_arena(void *p)
{
	if (cof_heap_inside) {
		dallocx(p, 0);
		return;
	}
	cof_heapgate_enter();
	dallocx(p, MALLOCX_TCACHE_NONE);
	cof_heapgate_leave();
}

/*
 * Is it? There may be no more room; and on a thread that is about to end, whose
 * destructors are compiled, jemalloc keeps no account of arenas, and takes its first
 * one. NULL: it is to come from libc.
 */
static void *checked(void *p)
{
	if (LIKELY(cof_heap_holds(p)) || p == NULL)
		return p;
	dallocx(p, MALLOCX_TCACHE_NONE);
	return NULL;
}

static void *from_arena(size_t bytes, int flags)
{
	return checked(mallocx(bytes > 0 ? bytes : 1, flags));
}

/* A block of the arena's goes to libc. */
static void *move_out(void *p, size_t was, size_t bytes)
{
	void *to = __libc_malloc(bytes);

	if (to == NULL)
		return NULL;
	memcpy(to, p, bytes < was ? bytes : was);
	return to;
}

/* Of the arena's; what a thread outside makes larger leaves it. */
static void *resize(void *p, size_t bytes)
{
	size_t was = sallocx(p, 0);
	void *to;

	if (bytes == 0) {
		to_arena(p);
		return NULL;
	}
	if (cof_heap_inside) {
		to = rallocx(p, bytes, 0);
		if (LIKELY(cof_heap_holds(to)))
			return to;
		/* As in checked(); if it moved, p is gone. */
		if (to != NULL) {
			p = move_out(to, sallocx(to, 0), bytes);
			dallocx(to, MALLOCX_TCACHE_NONE);
			return p;
		}
	}
	to = move_out(p, was, bytes);
	if (to != NULL)
		to_arena(p);
	return to;
}

static void *aligned(size_t alignment, size_t bytes)
{
	void *p = NULL;

	if (cof_heap_inside && alignment > 0 &&
	    (alignment & (alignment - 1)) == 0)
		p = from_arena(bytes, MALLOCX_ALIGN(alignment));
	return p != NULL ? p : __libc_memalign(alignment, bytes);
}

/* -- The family ------------------------------------------------------------- */

API void *malloc(size_t bytes)
{
	void *p = NULL;

	if (UNLIKELY(cof_heap_inside))
		p = from_arena(bytes, 0);
	else
		p = magazine_take(bytes);
	return p != NULL ? p : __libc_malloc(bytes);
}

API void *calloc(size_t n, size_t bytes)
{
	void *p = NULL;
	size_t all;

	if (UNLIKELY(__builtin_mul_overflow(n, bytes, &all)))
		return __libc_calloc(n, bytes);
	if (UNLIKELY(cof_heap_inside))
		p = from_arena(all, MALLOCX_ZERO);
	else if ((p = magazine_take(all)) != NULL)
		memset(p, 0, all);
	return p != NULL ? p : __libc_calloc(n, bytes);
}

API void *realloc(void *p, size_t bytes)
{
	void *to;

	if (p == NULL)
		return malloc(bytes);
	if (UNLIKELY(cof_heap_holds(p)))
		return resize(p, bytes);
	to = magazine_resize(p, bytes);
	return to != NULL ? to : __libc_realloc(p, bytes);
}

API void free(void *p)
{
	if (UNLIKELY(cof_heap_holds(p)))
		to_arena(p);
	else if (p == NULL || !magazine_put(p))
		__libc_free(p);
}

API int posix_memalign(void **out, size_t alignment, size_t bytes)
{
	int before = errno;
	void *p;

	if (alignment % sizeof(void *) != 0 || alignment == 0 ||
	    (alignment & (alignment - 1)) != 0)
		return EINVAL;
	p = aligned(alignment, bytes);
	errno = before;
	if (p == NULL)
		return ENOMEM;
	*out = p;
	return 0;
}

API void *memalign(size_t alignment, size_t bytes)
{
	return aligned(alignment, bytes);
}

API void *aligned_alloc(size_t alignment, size_t bytes)
{
	return aligned(alignment, bytes);
}

API void *valloc(size_t bytes)
{
	return aligned((size_t)sysconf(_SC_PAGESIZE), bytes);
}

API void *pvalloc(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (bytes > SIZE_MAX - page) {
		errno = ENOMEM;
		return NULL;
	}
	return aligned(page, (bytes + page - 1) & ~(page - 1));
}

API size_t malloc_usable_size(void *p)
{
	if (p == NULL)
		return 0;
	return cof_heap_holds(p) ? sallocx(p, 0) : libc_heap_usable(p);
}

/* Blocks filled as they are freed go by libc's hands. */
API int mallopt(int option, int value)
{
	if (option == M_PERTURB) {
		magazine_close();
		magazine_forbid();
	}
	return __libc_mallopt(option, value);
}

/* The program's first thread. */
__attribute__((constructor)) static void open_magazine(void)
{
	magazine_open();
}

void allocator_thread_begin(void)
{
	magazine_open_other();
}

void allocator_thread_end(void)
{
	magazine_close();
}
