/*
 * mem.c - libcof's own memory; see mem.h
 *
 * libcof does not link with jemalloc. Its functions are weak references, which
 * the dynamic linker resolves if the program, or LD_PRELOAD, brought jemalloc.
 * Then every block that is not in the boot heap is in libcof's arena, from
 * mallocx() to dallocx(), past the threads' caches: a cache would hand libcof's
 * blocks on to the program. Each call but sallocx(), which takes no lock, is
 * between cof_arena_fork_enter() and _leave().
 */
#include "memory/mem.h"

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flow.h"
#include "cof.h"
#include "memory/arena.h"
#include "memory/arena_fork.h"
#include "memory/boot_heap.h"
#include "memory/mem_account.h"

/* -- jemalloc(3) ----------------------------------------------------------- */

#define WEAK __attribute__((weak))
extern void  *mallocx(size_t size, int flags) WEAK;
extern void  *rallocx(void *p, size_t size, int flags) WEAK;
extern size_t sallocx(const void *p, int flags) WEAK;
extern void   dallocx(void *p, int flags) WEAK;
extern int    mallctl(const char *name, void *old, size_t *old_len, void *to,
		      size_t to_len) WEAK;

/* The manual's flag macros, so that its header is not needed. */
#define X_LG_ALIGN(lg)	(lg)
#define X_ZERO		0x40
#define X_NO_CACHE	(1 << 8)
#define X_ARENA(i)	(((int)(i) + 1) << 20)

#define LG_CACHELINE 6
_Static_assert(1 << LG_CACHELINE == COF_CACHELINE, "alignment");

static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Constant after `once`. */
static bool     has_jemalloc;
static int      arena_flags;	/* X_ARENA(arena); 0: it could not be made */
static unsigned arena;
static _Atomic bool began;	/* `once` is done */

static void find_jemalloc(void)
{
	size_t len = sizeof(arena);
	struct cof_arena_hooks *hooks;

	cof_arena_fork_beginning();
	has_jemalloc = mallocx && rallocx && sallocx && dallocx && mallctl;
	hooks = has_jemalloc ? cof_arena_reserve() : NULL;
	if (has_jemalloc &&
	    mallctl("arenas.create", &arena, &len, hooks ? &hooks : NULL,
		    hooks ? sizeof(hooks) : 0) == 0)
		arena_flags = X_ARENA(arena);
	else if (cof_boot_heap_start == 0)
		cof_arena_bytes = 0;
	cof_arena_fork_begun();
	atomic_store_explicit(&began, true, memory_order_release);
}

static bool on_jemalloc(void)
{
	pthread_once(&once, find_jemalloc);
	return has_jemalloc;
}

static int flags_for(size_t bytes)
{
	return arena_flags | X_NO_CACHE |
	       (bytes >= COF_CACHELINE ? X_LG_ALIGN(LG_CACHELINE) : 0);
}

/* -- Blocks ---------------------------------------------------------------- */

/*
 * A block is always zero from the requested size to the granted size. So
 * cof_mem_realloc() can promise zeros without knowing the requested size. A
 * compiler that checks sizes (_FORTIFY_SOURCE) knows only the requested size,
 * so it must not see where the pointer comes from.
 */
static void zero_tail(void *p, size_t from, size_t to)
{
	char *at = p;

	__asm__("" : "+r"(at));
	if (to > from)
		memset(at + from, 0, to - from);
}

static size_t granted(void *p)
{
	if (cof_boot_heap_holds(p))
		return cof_boot_heap_size(p);
	return has_jemalloc ? sallocx(p, 0) : malloc_usable_size(p);
}

static void *block_new(size_t bytes)
{
	void *p;

	if (bytes > PTRDIFF_MAX)
		return NULL;
	if (bytes == 0)
		bytes = 1;
	p = cof_boot_heap_take(bytes, COF_CACHELINE);
	if (p != NULL)
		return p;
	if (on_jemalloc()) {
		cof_arena_fork_enter();
		p = mallocx(bytes, flags_for(bytes) | X_ZERO);
		cof_arena_fork_leave();
	} else if (bytes < COF_CACHELINE) {
		p = calloc(1, bytes);
	} else if (posix_memalign(&p, COF_CACHELINE, bytes) == 0) {
		zero_tail(p, 0, bytes);
	} else {
		p = NULL;
	}
	if (p != NULL)
		zero_tail(p, bytes, granted(p));
	return p;
}

static void block_free(void *p)
{
	bool boot = cof_boot_heap_holds(p);

	if (!boot && !has_jemalloc) {
		free(p);
		return;
	}
	cof_arena_fork_enter();
	if (boot)
		cof_boot_heap_free(p);
	else
		dallocx(p, X_NO_CACHE);
	cof_arena_fork_leave();
}

/* Without jemalloc: realloc(3) of libc does not keep the alignment. */
static void *block_move(void *p, size_t bytes, size_t was)
{
	bool aligned = (uintptr_t)p % COF_CACHELINE == 0;
	void *to;

	if (bytes <= was && bytes >= was / 2 &&
	    (aligned || bytes < COF_CACHELINE)) {
		zero_tail(p, bytes, was);
		return p;
	}
	to = block_new(bytes);
	if (to == NULL)
		return NULL;
	memcpy(to, p, bytes < was ? bytes : was);
	block_free(p);
	return to;
}

void *cof_mem_alloc(size_t size_bytes)
{
	void *p = block_new(size_bytes);

	if (p != NULL)
		cof_mem_account_count(granted(p), 1);
	return p;
}

/* Size 0 is taken as 1, so it frees nothing. */
void *cof_mem_realloc(void *p, size_t size_bytes)
{
	size_t was;
	void *to;

	if (p == NULL)
		return cof_mem_alloc(size_bytes);
	if (size_bytes > PTRDIFF_MAX)
		return NULL;
	if (size_bytes == 0)
		size_bytes = 1;
	was = granted(p);
	if (has_jemalloc && !cof_boot_heap_holds(p)) {
		cof_arena_fork_enter();
		to = rallocx(p, size_bytes, flags_for(size_bytes) | X_ZERO);
		cof_arena_fork_leave();
		if (to != NULL)
			zero_tail(to, size_bytes, granted(to));
	} else {
		to = block_move(p, size_bytes, was);
	}
	if (to != NULL)
		cof_mem_account_count(granted(to) - was, 0);
	return to;
}

bool cof_mem_reserve(void *array, uint32_t *room, uint32_t n, size_t bytes)
{
	uint32_t to = *room * 2 > n ? *room * 2 : n;
	void *p;

	if (n <= *room)
		return true;
	memcpy(&p, array, sizeof(p));
	p = cof_mem_realloc(p, to * bytes);
	if (p == NULL)
		return false;
	memcpy(array, &p, sizeof(p));
	*room = to;
	return true;
}

void cof_mem_free(void *p)
{
	if (p == NULL)
		return;
	cof_mem_account_count(-granted(p), (size_t)-1);
	block_free(p);
}

char *cof_mem_strdup(const char *s)
{
	size_t bytes = strlen(s) + 1;
	char *p = cof_mem_alloc(bytes);

	return p ? memcpy(p, s, bytes) : NULL;
}

/* -- A host's compiler ----------------------------------------------------- */

static _Thread_local unsigned depth;	/* of enter without leave */
static _Thread_local unsigned outside;	/* the thread's arena before enter */

_Thread_local bool cof_mem_compiling, cof_mem_inside;

/* From here on the thread's jemalloc is libcof's arena. */
static void go_inside(void)
{
	size_t len = sizeof(outside);

	if (!on_jemalloc() || arena_flags == 0)
		return;
	cof_arena_fork_enter();
	cof_mem_inside = mallctl("thread.arena", &outside, &len, &arena,
				 sizeof(arena)) == 0;
	if (!cof_mem_inside)
		cof_arena_fork_leave();
	cof_mem_compiling = cof_mem_inside && cof_arena_bytes > 0;
}

/* Threads that never load a compiler are here too, to read files, so jemalloc
 * does not begin for that. */
void cof_compile_enter(void)
{
	if (depth++ > 0)
		return;
	if (cof_boot_heap_start != 0 &&
	    !atomic_load_explicit(&began, memory_order_acquire))
		cof_mem_compiling = true;
	else
		go_inside();
}

bool cof_mem_go_inside(void)
{
	if (!cof_mem_inside)
		go_inside();
	return cof_mem_inside;
}

void cof_compile_leave(void)
{
	assert(depth > 0);
	if (--depth > 0)
		return;
	cof_mem_compiling = false;
	if (!cof_mem_inside)
		return;
	mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
	mallctl("thread.arena", NULL, NULL, &outside, sizeof(outside));
	cof_mem_inside = false;
	cof_arena_fork_leave();
}

int cof_mem_arena_flags(void)
{
	return on_jemalloc() && arena_flags != 0 && cof_arena_bytes > 0 ?
	       arena_flags | X_NO_CACHE : 0;
}

void cof_mem_trim(void)
{
	char name[40];

	if (!atomic_load_explicit(&began, memory_order_acquire) ||
	    !has_jemalloc)
		return;
	cof_arena_fork_enter();
	mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
	if (arena_flags != 0) {
		snprintf(name, sizeof(name), "arena.%u.purge", arena);
		mallctl(name, NULL, NULL, NULL, 0);
	}
	cof_arena_fork_leave();
}
