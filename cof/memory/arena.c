/*
 * arena.c - a reserved range, and jemalloc's hooks; see arena.h
 */
#include "memory/arena.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "memory/rlimits.h"

#define MOST  (UINT64_C(64) << 30)	/* bytes, tried first */
#define LEAST (UINT64_C(16) << 20)	/* bytes, tried last */
#define PART  8u	/* at most 1/PART of the process's addresses */

uintptr_t cof_arena_start;
size_t    cof_arena_bytes;

static _Atomic uintptr_t next;	/* end of what is not yet given out */

/* jemalloc's extent_hooks_t, by its manual. */
struct cof_arena_hooks {
	void *(*alloc)(struct cof_arena_hooks *, void *at, size_t bytes,
		       size_t alignment, bool *zero, bool *commit,
		       unsigned arena);
	bool (*dalloc)(struct cof_arena_hooks *, void *, size_t, bool,
		       unsigned);
	void (*destroy)(struct cof_arena_hooks *, void *, size_t, bool,
			unsigned);
	bool (*commit)(struct cof_arena_hooks *, void *, size_t, size_t, size_t,
		       unsigned);
	bool (*decommit)(struct cof_arena_hooks *, void *, size_t, size_t,
			 size_t, unsigned);
	bool (*purge_lazy)(struct cof_arena_hooks *, void *, size_t, size_t,
			   size_t, unsigned);
	bool (*purge_forced)(struct cof_arena_hooks *, void *, size_t, size_t,
			     size_t, unsigned);
	bool (*split)(struct cof_arena_hooks *, void *, size_t, size_t, size_t,
		      bool, unsigned);
	bool (*merge)(struct cof_arena_hooks *, void *, size_t, void *, size_t,
		      bool, unsigned);
};

/* A hook that returns bool returns false for success, true for "not done". */

/* Addresses, from the end down. NULL: there are none. */
static void *take(size_t bytes, size_t alignment)
{
	uintptr_t was = atomic_load_explicit(&next, memory_order_relaxed), to;

	do {
		if (bytes > was - cof_arena_start)
			return NULL;
		to = (was - bytes) & ~(uintptr_t)(alignment - 1);
		if (to < cof_arena_start)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(
		&next, &was, to, memory_order_relaxed, memory_order_relaxed));
	return (void *)to;
}

static void *alloc(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		   size_t alignment, bool *zero, bool *commit, unsigned arena)
{
	void *to;

	(void)hooks;
	(void)arena;
	if (at != NULL)
		return NULL;	/* then jemalloc asks for any address */
	to = take(bytes, alignment);
	if (to == NULL || mprotect(to, bytes, PROT_READ | PROT_WRITE) != 0)
		return NULL;
	*zero = *commit = true;
	return to;
}

/* Not done: jemalloc retains the extent. */
static bool dalloc(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		   bool committed, unsigned arena)
{
	(void)hooks;
	(void)at;
	(void)bytes;
	(void)committed;
	(void)arena;
	return true;
}

static void destroy(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		    bool committed, unsigned arena)
{
	dalloc(hooks, at, bytes, committed, arena);
}

static bool done(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		 size_t offset, size_t length, unsigned arena)
{
	(void)hooks;
	(void)at;
	(void)bytes;
	(void)offset;
	(void)length;
	(void)arena;
	return false;
}

static bool not_done(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		     size_t offset, size_t length, unsigned arena)
{
	return !done(hooks, at, bytes, offset, length, arena);
}

static bool purge(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		  size_t offset, size_t length, unsigned arena)
{
	(void)hooks;
	(void)bytes;
	(void)arena;
	return madvise((char *)at + offset, length, MADV_DONTNEED) != 0;
}

static bool split(struct cof_arena_hooks *hooks, void *at, size_t bytes,
		  size_t a, size_t b, bool committed, unsigned arena)
{
	(void)committed;
	return done(hooks, at, bytes, a, b, arena);
}

/* The range is one mapping, so neighbours can always be merged. */
static bool merge(struct cof_arena_hooks *hooks, void *a, size_t a_bytes,
		  void *b, size_t b_bytes, bool committed, unsigned arena)
{
	(void)b;
	(void)committed;
	return done(hooks, a, a_bytes, 0, b_bytes, arena);
}

struct cof_arena_hooks *cof_arena_reserve(void)
{
	static struct cof_arena_hooks hooks = {
		.alloc = alloc, .dalloc = dalloc, .destroy = destroy,
		.commit = done, .decommit = not_done, .purge_lazy = not_done,
		.purge_forced = purge, .split = split, .merge = merge,
	};

	uint64_t most = cof_rlimits_addresses(MOST, PART);

	if (cof_arena_bytes > 0)
		return &hooks;
	/* Without access, so that it counts as address space only. */
	for (uint64_t bytes = MOST; bytes >= LEAST; bytes /= 4) {
		void *p;

		if (bytes > most)
			continue;
		p = mmap(NULL, bytes, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			continue;
		cof_arena_start = (uintptr_t)p;
		cof_arena_bytes = bytes;
		atomic_store_explicit(&next, (uintptr_t)p + bytes,
				      memory_order_relaxed);
		return &hooks;
	}
	return NULL;
}

void *cof_arena_take(size_t bytes)
{
	return cof_arena_reserve() != NULL ? take(bytes, bytes) : NULL;
}
