/*
 * magazine.c - open, close, empty, and find double frees; see magazine.h
 */
#include "malloc/magazine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>		/* environ */

#include "malloc/libc_heap.h"

_Thread_local struct magazine magazine_own;

/* Does the environment say how libc is to allocate? */
static bool is_told(void)
{
	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, "MALLOC_", 7) == 0 ||
		    strncmp(*e, "GLIBC_TUNABLES=", 15) == 0)
			return true;
	return false;
}

/* Does a block of n bytes have the expected layout? */
static bool is_known(size_t n)
{
	void *p = libc_heap_malloc(n);
	bool ok = p && magazine_usable(magazine_size_of(p)) ==
		       libc_heap_usable(p) &&
		  libc_heap_usable(p) >= n && (uintptr_t)p % 16 == 0;

	libc_heap_free(p);
	return ok;
}

static uintptr_t draw(void)
{
	const unsigned char *random =
		(const unsigned char *)getauxval(AT_RANDOM);	/* 16 bytes */
	uintptr_t mark = 0;

	if (random)
		memcpy(&mark, random + 8, sizeof(mark));
	return mark | 1;
}

static atomic_bool others_may;	/* open; relaxed: the first thread sets it */

static void open_for(size_t limit)
{
	magazine_own.limit = limit;
	magazine_own.mark = draw();
}

bool magazine_open(void)
{
	bool can = !is_told() && is_known(1) && is_known(MAGAZINE_LEAST + 1) &&
		   is_known(MAGAZINE_MOST);

	atomic_store_explicit(&others_may, can, memory_order_relaxed);
	if (can)
		open_for(MAGAZINE_BYTES);
	return can;
}

bool magazine_open_other(void)
{
	if (!atomic_load_explicit(&others_may, memory_order_relaxed))
		return false;
	open_for(MAGAZINE_OTHERS_BYTES);
	return true;
}

void magazine_forbid(void)
{
	atomic_store_explicit(&others_may, false, memory_order_relaxed);
}

static void drain(struct magazine *m, uint32_t size)
{
	struct magazine_block *b, *next;

	for (b = m->first[size]; b; b = next) {
		next = magazine_next(b);
		b->mark = 0;
		m->bytes -= magazine_usable(size);
		libc_heap_free(b);
	}
	m->first[size] = NULL;
}

void magazine_close(void)
{
	struct magazine *m = &magazine_own;

	for (uint32_t i = 0; i < MAGAZINE_SIZES; i++)
		drain(m, i);
	m->mark = 0;
}

void magazine_full(void)
{
	struct magazine *m = &magazine_own;

	while (m->bytes > m->limit / 2) {
		drain(m, m->turn);
		m->turn = (m->turn + 1) % MAGAZINE_SIZES;
	}
}

/* The block's bytes may equal the mark by chance. A double free is repeated in
 * libc, which finds it in its own cache if that is not full, and does not
 * return. */
void magazine_again(void *p)
{
	size_t size = magazine_size_of(p);
	struct magazine_block *b = magazine_own.first[size];

	while (b && b != p)
		b = magazine_next(b);
	if (!b)
		return;
	libc_heap_malloc(magazine_usable(size));
	libc_heap_free(p);
	libc_heap_free(p);
}
