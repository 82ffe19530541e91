/*
 * allocator.c - malloc(3) and its family: libc's for the program, jemalloc for
 * the compiler
 *
 * Process-wide: cof-llvm defines these functions, and all libraries find them
 * here.
 *
 *	the program	libc's allocator, as natively. Another one may be faster
 *			or slower (sqlite: 8 % slower), takes other memory, and
 *			does not know mallopt(3). A magazine of freed blocks is
 *			in front of it (magazine.h), since libc takes locks here
 *			that it would not take natively.
 *	LLVM		an arena of its own, so that all of its memory can be
 *			given back when it is idle. libcof's arena of jemalloc
 *			begins only then (cof/memory/boot_heap.h).
 *	libraries	if the program defines an allocator, the program's
 *			(replaced.h).
 *
 * libcof knows whether the thread is in the compiler. A block's address shows
 * whether it is the arena's (cof/memory/arena.h).
 *
 * Operators new and delete are libstdc++'s, which call these functions.
 * jemalloc has operators too, so libstdc++ is linked first.
 */
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <jemalloc/jemalloc.h>

#include "malloc/allocator.h"
#include "malloc/libc_heap.h"
#include "malloc/magazine.h"
#include "malloc/replaced.h"
#include "memory/arena.h"
#include "memory/arena_fork.h"
#include "memory/boot_heap.h"

#define API __attribute__((visibility("default")))

#define LIKELY(x) __builtin_expect(x, 1)
#define UNLIKELY(x) __builtin_expect(x, 0)

/* -- In the arena ---------------------------------------------------------- */

/* Outside the compiler without jemalloc's thread cache: the thread never
 * allocates from it. */
static void to_arena(void *p)
{
	bool boot = cof_boot_heap_holds(p);

	if (cof_mem_inside && !boot) {
		dallocx(p, 0);
		return;
	}
	cof_arena_fork_enter();
	if (boot)
		cof_boot_heap_free(p);
	else
		dallocx(p, MALLOCX_TCACHE_NONE);
	cof_arena_fork_leave();
}

/*
 * Is the block in the arena? The arena may be full. On a thread that is about
 * to end, whose destructors are compiled, jemalloc does not track arenas and
 * uses its first one. NULL: libc is to allocate the block.
 */
static void *checked(void *p)
{
	if (LIKELY(cof_arena_holds(p)) || p == NULL)
		return p;
	dallocx(p, MALLOCX_TCACHE_NONE);
	return NULL;
}

static size_t arena_size(void *p)
{
	return cof_boot_heap_holds(p) ? cof_boot_heap_size(p) : sallocx(p, 0);
}

static void *from_arena(size_t bytes, int flags)
{
	return checked(mallocx(bytes > 0 ? bytes : 1, flags));
}

/* Move a block of the arena's to this thread's malloc(). */
static void *move_out(void *p, size_t was, size_t bytes)
{
	void *to = malloc(bytes);

	if (to == NULL)
		return NULL;
	memcpy(to, p, bytes < was ? bytes : was);
	return to;
}

static void *from_compilers(size_t bytes, size_t alignment, int flags)
{
	void *p;

	if (UNLIKELY(!cof_mem_inside)) {
		p = cof_boot_heap_take(bytes, alignment);
		if (p != NULL || !cof_mem_go_inside())
			return p;
	}
	return from_arena(bytes, MALLOCX_ALIGN(alignment) | flags);
}

static bool is_special(void)
{
	return UNLIKELY(atomic_load_explicit(&replaced_special,
					     memory_order_relaxed));
}

/* For a thread outside the compiler that is not the program's, or before the
 * program is bound. */
static void *from_nobodys(size_t bytes, size_t alignment, int flags)
{
	int arena;
	void *p;

	/* Where the program has malloc() and no calloc(), that is libc's. */
	if (replaced_on_this_thread)
		return NULL;
	p = cof_boot_heap_take(bytes, alignment);
	if (p != NULL)
		return p;
	arena = cof_mem_arena_flags();
	if (arena == 0)
		return NULL;
	cof_arena_fork_enter();
	p = from_arena(bytes, arena | MALLOCX_ALIGN(alignment) | flags);
	cof_arena_fork_leave();
	return p;
}

/* realloc(3) of a block of the arena's. Outside the compiler the block leaves
 * the arena. */
static void *resize(void *p, size_t bytes)
{
	size_t was = arena_size(p);
	void *to;

	if (bytes == 0) {
		to_arena(p);
		return NULL;
	}
	if (cof_mem_inside && !cof_boot_heap_holds(p)) {
		to = rallocx(p, bytes, 0);
		if (LIKELY(cof_arena_holds(to)))
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

	if (alignment > 0 && (alignment & (alignment - 1)) == 0) {
		if (cof_mem_compiling)
			p = from_compilers(bytes, alignment, 0);
		else if (is_special())
			p = from_nobodys(bytes, alignment, 0);
	}
	return p != NULL ? p : libc_heap_memalign(alignment, bytes);
}

/* -- Where the program has, or may have, an allocator of its own ----------- */

typedef void  *malloc_fn(size_t);
typedef void  *calloc_fn(size_t, size_t);
typedef void  *realloc_fn(void *, size_t);
typedef void   free_fn(void *);
typedef int    posix_memalign_fn(void **, size_t, size_t);
typedef void  *aligned_fn(size_t, size_t);
typedef size_t usable_fn(void *);

static void *special_malloc(size_t bytes)
{
	malloc_fn *own = (malloc_fn *)replaced(REPLACED_MALLOC);
	void *p;

	if (own != NULL)
		return own(bytes);
	p = cof_mem_compiling ? from_compilers(bytes, 1, 0) :
			      from_nobodys(bytes, 1, 0);
	return p != NULL ? p : libc_heap_malloc(bytes);
}

static void *special_calloc(size_t n, size_t bytes)
{
	calloc_fn *own = (calloc_fn *)replaced(REPLACED_CALLOC);
	void *p;

	if (own != NULL)
		return own(n, bytes);
	p = cof_mem_compiling ? from_compilers(n * bytes, 1, MALLOCX_ZERO) :
			      from_nobodys(n * bytes, 1, MALLOCX_ZERO);
	return p != NULL ? p : libc_heap_calloc(n, bytes);
}

static void *special_realloc(void *p, size_t bytes)
{
	realloc_fn *own = (realloc_fn *)replaced(REPLACED_REALLOC);

	if (own != NULL)
		return own(p, bytes);
	if (p == NULL && (cof_mem_compiling || !replaced_on_this_thread))
		return special_malloc(bytes);
	return libc_heap_realloc(p, bytes);
}

/* A block that another thread frees may be the program's, as with memory of a
 * thread that was the program's. Then it is not freed. */
static void special_free(void *p)
{
	free_fn *own = (free_fn *)replaced(REPLACED_FREE);

	if (own != NULL)
		own(p);
	else if (replaced_by[REPLACED_FREE] == 0)
		libc_heap_free(p);
}

/* -- The family ------------------------------------------------------------ */

API void *malloc(size_t bytes)
{
	void *p;

	if (UNLIKELY(cof_mem_compiling) || is_special())
		return special_malloc(bytes);
	p = magazine_take(bytes);
	return p != NULL ? p : libc_heap_malloc(bytes);
}

API void *calloc(size_t n, size_t bytes)
{
	void *p;
	size_t all;

	if (UNLIKELY(__builtin_mul_overflow(n, bytes, &all)))
		return libc_heap_calloc(n, bytes);
	if (UNLIKELY(cof_mem_compiling) || is_special())
		return special_calloc(n, bytes);
	p = magazine_take(all);
	return p != NULL ? memset(p, 0, all) : libc_heap_calloc(n, bytes);
}

API void *realloc(void *p, size_t bytes)
{
	void *to;

	if (UNLIKELY(cof_arena_holds(p)))
		return resize(p, bytes);
	if (is_special())
		return special_realloc(p, bytes);
	if (p == NULL)
		return malloc(bytes);
	to = magazine_resize(p, bytes);
	return to != NULL ? to : libc_heap_realloc(p, bytes);
}

API void free(void *p)
{
	if (UNLIKELY(cof_arena_holds(p)))
		to_arena(p);
	else if (is_special())
		special_free(p);
	else if (p == NULL || !magazine_put(p))
		libc_heap_free(p);
}

API int posix_memalign(void **out, size_t alignment, size_t bytes)
{
	posix_memalign_fn *own = (posix_memalign_fn *)
				 replaced(REPLACED_POSIX_MEMALIGN);
	int before = errno;
	void *p;

	if (own != NULL)
		return own(out, alignment, bytes);
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
	aligned_fn *own = (aligned_fn *)replaced(REPLACED_MEMALIGN);

	return own != NULL ? own(alignment, bytes) : aligned(alignment, bytes);
}

API void *aligned_alloc(size_t alignment, size_t bytes)
{
	aligned_fn *own = (aligned_fn *)replaced(REPLACED_ALIGNED_ALLOC);

	return own != NULL ? own(alignment, bytes) : aligned(alignment, bytes);
}

API void *valloc(size_t bytes)
{
	malloc_fn *own = (malloc_fn *)replaced(REPLACED_VALLOC);

	return own != NULL ? own(bytes) :
			     aligned((size_t)sysconf(_SC_PAGESIZE), bytes);
}

API void *pvalloc(size_t bytes)
{
	malloc_fn *own = (malloc_fn *)replaced(REPLACED_PVALLOC);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (own != NULL)
		return own(bytes);
	if (bytes > SIZE_MAX - page) {
		errno = ENOMEM;
		return NULL;
	}
	return aligned(page, (bytes + page - 1) & ~(page - 1));
}

API size_t malloc_usable_size(void *p)
{
	usable_fn *own = (usable_fn *)replaced(REPLACED_USABLE);

	if (p == NULL)
		return 0;
	if (cof_arena_holds(p))
		return arena_size(p);
	return own != NULL ? own(p) : libc_heap_usable(p);
}

/* With M_PERTURB libc fills blocks when they are freed, so they must reach
 * libc. */
API int mallopt(int option, int value)
{
	if (option == M_PERTURB) {
		magazine_close();
		magazine_forbid();
	}
	return __libc_mallopt(option, value);
}

/* -- Beginning and end ----------------------------------------------------- */

__attribute__((constructor)) static void begin(void)
{
	if (cof_arena_fork_register() == 0)
		cof_boot_heap_open();
	replaced_begin();
	magazine_open();
}

void allocator_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx)
{
	replaced_bound(find, ctx);
	if (replaced_by[REPLACED_MALLOC] != 0) {
		magazine_close();
		magazine_forbid();
	}
}

void allocator_thread_begin(void)
{
	replaced_on_this_thread = true;
	magazine_open_other();
}

void allocator_thread_end(void)
{
	magazine_close();
}
