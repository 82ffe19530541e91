/*
 * mem.c - libcof's own memory; see mem.h
 *
 * libcof does not link with jemalloc. Its functions are weak references, which
 * the dynamic linker resolves if the program, or LD_PRELOAD, brought jemalloc.
 * Then every block is in libcof's arena, from mallocx() to dallocx(), past the
 * threads' caches: a cache would hand libcof's blocks on to the program. Each
 * call but sallocx(), which takes no lock, is between cof_arena_fork_enter()
 * and _leave().
 *
 * Totals belong to the process, since the arena does. Each instance's stats
 * file has a copy of them, its account. To copy takes a lock; only a thread
 * that opens or closes an account waits for it:
 *
 *	changes totals                   holds the lock
 *	change totals                    load changes            (D)
 *	changes + 1            (C)       copy totals
 *	try the lock           (A)       unlock                  (B)
 *	taken: done                      load changes            (D)
 *	                                 they went on: try again
 *
 * A to D are sequentially consistent: if A finds the lock taken, the D after
 * that holder's B sees C, and the holder copies again. Besides, A pairs with B:
 * the accounts are the holder's. C pairs with D: a thread that sees the change
 * sees totals as new, so these need no order of their own.
 *
 * The lock word is the holder's pid. So if another thread held the lock while
 * this process was forked, the child sees that the lock is free.
 */
#include "memory/mem.h"

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/flow.h"
#include "cof.h"
#include "memory/arena.h"
#include "memory/arena_fork.h"

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

static void find_jemalloc(void)
{
	size_t len = sizeof(arena);
	struct cof_arena_hooks *hooks;

	has_jemalloc = mallocx && rallocx && sallocx && dallocx && mallctl;
	hooks = has_jemalloc ? cof_arena_reserve() : NULL;
	if (has_jemalloc &&
	    mallctl("arenas.create", &arena, &len, hooks ? &hooks : NULL,
		    hooks ? sizeof(hooks) : 0) == 0)
		arena_flags = X_ARENA(arena);
	else
		cof_arena_bytes = 0;
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

/* -- Accounts -------------------------------------------------------------- */

#define ACCOUNTS 16		/* instances whose stats files have totals */

static _Atomic uint64_t total_bytes, total_blocks;
static _Atomic uint64_t changes;
static _Atomic int      holder;	/* pid; 0: free */
static struct cof_flow_memory *account[ACCOUNTS];	/* under the lock */

static bool try_lock(void)
{
	int self = getpid(), was = atomic_load(&holder);

	return was != self &&
	       atomic_compare_exchange_strong(&holder, &was, self);  /* A */
}

static void unlock(void)
{
	atomic_store(&holder, 0);	/* B */
}

static void copy_totals(struct cof_flow_memory *to)
{
	cof_count_set(&to->own_bytes,
		      atomic_load_explicit(&total_bytes, memory_order_relaxed));
	cof_count_set(&to->own_blocks,
		      atomic_load_explicit(&total_blocks,
					   memory_order_relaxed));
}

static void publish(void)
{
	uint64_t seen;

	do {
		if (!try_lock())
			return;
		seen = atomic_load(&changes);		/* D */
		for (int i = 0; i < ACCOUNTS; i++)
			if (account[i] != NULL)
				copy_totals(account[i]);
		unlock();
	} while (seen != atomic_load(&changes));	/* D */
}

/* Sizes are as the allocator rounds them; negated to subtract. */
static void count(size_t bytes, size_t blocks)
{
	atomic_fetch_add_explicit(&total_bytes, bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&total_blocks, blocks, memory_order_relaxed);
	atomic_fetch_add(&changes, 1);		/* C */
	publish();
}

/* Replace `from` by `to`, at every place or at the first. */
static void replace(const struct cof_flow_memory *from,
		    struct cof_flow_memory *to, bool all)
{
	while (!try_lock())
		sched_yield();
	for (int i = 0; i < ACCOUNTS; i++) {
		if (account[i] != from)
			continue;
		account[i] = to;
		if (!all)
			break;
	}
	unlock();
}

void cof_mem_account(struct cof_flow_memory *flow)
{
	if (flow == NULL) {
		while (!try_lock())
			sched_yield();
		memset(account, 0, sizeof(account));
		unlock();
		return;
	}
	replace(NULL, flow, false);
	atomic_fetch_add(&changes, 1);		/* C */
	publish();
}

void cof_mem_unaccount(const struct cof_flow_memory *flow)
{
	if (flow != NULL)
		replace(flow, NULL, true);
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
	return has_jemalloc ? sallocx(p, 0) : malloc_usable_size(p);
}

static void *block_new(size_t bytes)
{
	void *p = NULL;

	if (bytes > PTRDIFF_MAX)
		return NULL;
	if (bytes == 0)
		bytes = 1;
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
	if (!has_jemalloc) {
		free(p);
		return;
	}
	cof_arena_fork_enter();
	dallocx(p, X_NO_CACHE);
	cof_arena_fork_leave();
}

/* realloc(3) of libc does not keep the alignment. */
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
		count(granted(p), 1);
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
	if (has_jemalloc) {
		cof_arena_fork_enter();
		to = rallocx(p, size_bytes, flags_for(size_bytes) | X_ZERO);
		cof_arena_fork_leave();
		if (to != NULL)
			zero_tail(to, size_bytes, granted(to));
	} else {
		to = block_move(p, size_bytes, was);
	}
	if (to != NULL)
		count(granted(to) - was, 0);
	return to;
}

void cof_mem_free(void *p)
{
	if (p == NULL)
		return;
	count(-granted(p), (size_t)-1);
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
static _Thread_local bool     inside;	/* the arena was changed */

_Thread_local bool cof_mem_compiling;

void cof_compile_enter(void)
{
	size_t len = sizeof(outside);

	if (depth++ > 0)
		return;
	if (!on_jemalloc() || arena_flags == 0)
		return;
	cof_arena_fork_enter();
	inside = mallctl("thread.arena", &outside, &len, &arena,
			 sizeof(arena)) == 0;
	if (!inside)
		cof_arena_fork_leave();
	cof_mem_compiling = inside && cof_arena_bytes > 0;
}

void cof_compile_leave(void)
{
	assert(depth > 0);
	if (--depth > 0 || !inside)
		return;
	cof_mem_compiling = false;
	mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
	mallctl("thread.arena", NULL, NULL, &outside, sizeof(outside));
	inside = false;
	cof_arena_fork_leave();
}

int cof_mem_arena_flags(void)
{
	return on_jemalloc() && cof_arena_bytes > 0 ?
	       arena_flags | X_NO_CACHE : 0;
}

void cof_mem_trim(void)
{
	char name[40];

	if (!on_jemalloc())
		return;
	cof_arena_fork_enter();
	mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
	if (arena_flags != 0) {
		snprintf(name, sizeof(name), "arena.%u.purge", arena);
		mallctl(name, NULL, NULL, NULL, 0);
	}
	cof_arena_fork_leave();
}
