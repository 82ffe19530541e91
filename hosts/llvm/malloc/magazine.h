/*
 * magazine.h - blocks that the program has freed, to be had again without a lock
 *
 *	malloc --> take: one of this size? --> it     free --> put, until it is full
 *	             | no                                       | full
 *	             v                                          v
 *	            libc <----------------- sizes in turn, until it is half empty
 *
 * A process of one thread has libc's allocator without locks. Libcof has threads, so
 * a program under it would pay for locks it does not need: a fifth of its time where
 * it allocates much (bench/lua/closures.lua). libc's own caches of seven blocks a size
 * are emptied at once by a garbage collector. So the program's first thread has a
 * larger one before them. Those of other threads are small: libc has its locks for these
 * natively too, but what stands between them and libc's takes time of its own, which
 * a block that is had here saves again. The name is Bonwick's and Adams' ("Magazines and
 * Vmem", USENIX 2001).
 *
 * All blocks are libc's, of the sizes that libc would give: the word before a block
 * holds its size and, in the low bits, flags, as malloc_usable_size(3) has it. That
 * is looked at when the magazine is opened, and where it does not hold, or the
 * environment says how libc is to allocate (malloc(3), mallopt(3)), it stays closed.
 * The last in is the first out. What is freed twice libc is told of, which ends the
 * program with its message.
 *
 * Thread: each has its own. Not in a signal handler, as malloc(3).
 */
#ifndef MAGAZINE_H
#define MAGAZINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAGAZINE_GRAIN   16u
#define MAGAZINE_SIZES   64u
#define MAGAZINE_LEAST   24u	/* bytes usable of the smallest, */
#define MAGAZINE_MOST    1032u	/* and of the largest */
#define MAGAZINE_BYTES   (1u << 20)	/* that of the first thread holds, at most, */
#define MAGAZINE_OTHERS_BYTES (1u << 16)	/* and those of others */

struct magazine_block {
	uintptr_t next;		/* magazine_link() of it */
	uintptr_t mark;		/* the magazine's: it is in there */
};

struct magazine {
	struct magazine_block *first[MAGAZINE_SIZES];
	uintptr_t mark;			/* 0: closed */
	size_t    bytes;		/* it holds, */
	size_t    limit;		/* and may hold */
	uint32_t  turn;			/* the size that is next to go */
};

extern _Thread_local struct magazine magazine_own;

/* The calling thread's, which is the program's first. False: it stays closed. */
bool magazine_open(void);

/* Another thread's, if the first one's could be opened. */
bool magazine_open_other(void);

/* None is opened by others from now on. */
void magazine_forbid(void);

/* All goes to libc. */
void magazine_close(void);

/* It is full, or p seems to be in there already: what put() leaves to do. */
void magazine_full(void);
void magazine_again(void *p);

/*
 * A block as the next of another, and back. As in libc's lists (malloc.c, "safe
 * linking"), who writes past a block does not know what to write there to have an
 * address of his own handed out.
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

/* The size that n bytes are of, at most MOST. */
static inline uint32_t magazine_size(size_t n)
{
	return n <= MAGAZINE_LEAST ? 0 :
	       (uint32_t)((n - MAGAZINE_LEAST - 1) / MAGAZINE_GRAIN + 1);
}

/* The size of a block of libc's; SIZES or more: it is none of these. */
static inline size_t magazine_size_of(const void *p)
{
	uintptr_t word = (uintptr_t)p - sizeof(size_t);

	return *(const size_t *)word / MAGAZINE_GRAIN - 2;
}

static inline size_t magazine_usable(size_t size)
{
	return MAGAZINE_LEAST + size * MAGAZINE_GRAIN;
}

/* At least n bytes; NULL: there is no such block. */
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

/* p is libc's and not NULL. False: it is for libc to free. */
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

/*
 * realloc(3) of p, libc's, to n > 0 bytes, as far as that can be done in here; NULL:
 * libc is to do it.
 */
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

#endif /* MAGAZINE_H */
