/*
 * magazine.h - freed blocks of the program, for it to allocate again without a
 * lock
 *
 *	malloc --> take: one of this size? --> it   free --> put, until full
 *	             | no                                     | full
 *	             v                                        v
 *	            libc <--------------- sizes in turn, until half empty
 *
 * In a process of one thread libc's allocator takes no locks. libcof has
 * threads, so a program would pay for locks that it does not need: a fifth of
 * its time where it allocates much (bench/lua/closures.lua). A garbage
 * collector empties libc's own caches, of seven blocks a size, at once. So the
 * program's first thread has a larger cache in front of them. Other threads
 * have small ones: libc takes its locks for these natively too, but the code in
 * between takes time, which a hit in the magazine saves. The name is Bonwick's
 * and Adams' ("Magazines and Vmem", USENIX 2001).
 *
 * All blocks are libc's, of the sizes that libc would give. The word before a
 * block has its size and, in the low bits, flags; malloc_usable_size(3) reads
 * it too. magazine_open() checks that. If it does not hold, or the environment
 * configures libc's allocator (malloc(3), mallopt(3)), the magazine stays
 * closed. The last block in is the first out. A block that is freed twice is
 * freed twice in libc, which ends the program with its message.
 *
 * Thread: each has its own. Not in a signal handler, as malloc(3).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAGAZINE_GRAIN   16u
#define MAGAZINE_SIZES   64u
#define MAGAZINE_LEAST   24u	/* usable bytes of the smallest size, */
#define MAGAZINE_MOST    1032u	/* and of the largest */
#define MAGAZINE_BYTES   (1u << 20)	/* limit of the first thread's, */
#define MAGAZINE_OTHERS_BYTES (1u << 16)	/* and of other threads' */

struct magazine_block {
	uintptr_t next;		/* encoded by magazine_link() */
	uintptr_t mark;		/* the magazine's: the block is in it */
};

struct magazine {
	struct magazine_block *first[MAGAZINE_SIZES];
	uintptr_t mark;			/* 0: closed */
	size_t    bytes;		/* in it */
	size_t    limit;		/* of bytes */
	uint32_t  turn;			/* the size to be emptied next */
};

extern _Thread_local struct magazine magazine_own;

/* Open the magazine of the calling thread, the program's first. False: it stays
 * closed. */
bool magazine_open(void);

/* Open the magazine of another thread. False: the first one's could not be
 * opened. */
bool magazine_open_other(void);

/* Other threads open none from now on. */
void magazine_forbid(void);

/* Free all blocks in libc, and close the calling thread's. */
void magazine_close(void);

/* For magazine_put(): the magazine is full; or p seems to be in it already. */
void magazine_full(void);
void magazine_again(void *p);

/*
 * Encode the address of the next block, and decode it. As in libc's lists
 * (glibc:malloc/malloc.c, "safe linking"), a write past a block cannot make
 * malloc() return a chosen address.
 */
static inline uintptr_t magazine_link(const struct magazine_block *b,
				      uintptr_t next)
{
	return next ^ (uintptr_t)b >> 12;
}

static inline struct magazine_block *
magazine_next(const struct magazine_block *b)
{
	return (struct magazine_block *)magazine_link(b, b->next);
}

/* The size class of n bytes, n at most MOST. */
static inline uint32_t magazine_size(size_t n)
{
	return n <= MAGAZINE_LEAST ? 0 :
	       (uint32_t)((n - MAGAZINE_LEAST - 1) / MAGAZINE_GRAIN + 1);
}

/* The size class of a block of libc's; SIZES or more: it has none. */
static inline size_t magazine_size_of(const void *p)
{
	uintptr_t word = (uintptr_t)p - sizeof(size_t);

	return *(const size_t *)word / MAGAZINE_GRAIN - 2;
}

static inline size_t magazine_usable(size_t size)
{
	return MAGAZINE_LEAST + size * MAGAZINE_GRAIN;
}

/* A block of at least n bytes; NULL: there is none. */
static inline void *magazine_take(size_t n)
{
	struct magazine *m = &magazine_own;
	struct magazine_block *b;
	uint32_t size;

	if (n > MAGAZINE_MOST)
		return NULL;
	size = magazine_size(n);
	b = m->first[size];
	if (!b)
		return NULL;
	m->first[size] = magazine_next(b);
	m->bytes -= magazine_usable(size);
	b->mark = 0;
	return b;
}

/* Put p, which is libc's and not NULL. False: libc is to free it. */
static inline bool magazine_put(void *p)
{
	struct magazine *m = &magazine_own;
	struct magazine_block *b = p;
	size_t size;

	if (m->mark == 0)
		return false;
	size = magazine_size_of(p);
	if (size >= MAGAZINE_SIZES)
		return false;
	if (__builtin_expect(b->mark == m->mark, 0))
		magazine_again(p);
	b->next = magazine_link(b, (uintptr_t)m->first[size]);
	b->mark = m->mark;
	m->first[size] = b;
	m->bytes += magazine_usable(size);
	if (__builtin_expect(m->bytes > m->limit, 0))
		magazine_full();
	return true;
}

/* realloc(3) of p, which is libc's, if the magazine has a block of that size.
 * NULL: libc is to do it. */
static inline void *magazine_resize(void *p, size_t n)
{
	size_t was, size;
	void *to;

	if (magazine_own.mark == 0 || n > MAGAZINE_MOST || n == 0)
		return NULL;
	was = magazine_size_of(p);
	size = magazine_size(n);
	if (was >= MAGAZINE_SIZES)
		return NULL;
	if (size == was)
		return p;
	to = magazine_take(n);
	if (!to)
		return NULL;
	__builtin_memcpy(to, p, magazine_usable(size < was ? size : was));
	magazine_put(p);
	return to;
}
