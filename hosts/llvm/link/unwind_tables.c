/*
 * unwind_tables.c - a sorted table that readers copy from without a lock
 *
 * Writers hold the loader's lock and block signals, so a reader never
 * interrupts one on its own thread, and one that meets a change tries again
 * (a sequence lock: `changes` is odd during a change).
 */
#include "link/unwind_tables.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/xcalloc.h"

/* As in the Linux Standard Base, .eh_frame_hdr, without a search table: then
 * unwinders read the section from its beginning. */
struct header {
	uint8_t version, pointer, count, search;
	uint8_t eh_frame[8];
};

#define DW_EH_PE_ABSPTR 0x00
#define DW_EH_PE_OMIT   0xff

struct table {
	_Atomic uintptr_t start, end, eh_frame;
	struct header *_Atomic header;
};

/* Chunks are never moved or freed, so a reader may look at any time. */
#define CHUNK     256u
#define CHUNKS    4096u
static struct table *_Atomic chunk[CHUNKS];
static _Atomic uint32_t n;		/* in use, sorted by start */
static _Atomic uint32_t changes;

static struct table *at(uint32_t i)
{
	return atomic_load_explicit(&chunk[i / CHUNK], memory_order_acquire) +
	       i % CHUNK;
}

static uintptr_t start_of(uint32_t i)
{
	return atomic_load_explicit(&at(i)->start, memory_order_relaxed);
}

/* The first one that begins behind pc. */
static uint32_t behind(uintptr_t pc, uint32_t all)
{
	uint32_t lo = 0, hi = all;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (start_of(mid) > pc)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static void move(uint32_t to, uint32_t from)
{
	struct table *a = at(to), *b = at(from);

	atomic_store_explicit(&a->start, b->start, memory_order_relaxed);
	atomic_store_explicit(&a->end, b->end, memory_order_relaxed);
	atomic_store_explicit(&a->eh_frame, b->eh_frame, memory_order_relaxed);
	atomic_store_explicit(&a->header, b->header, memory_order_relaxed);
}

static void change_begins(void)
{
	atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static void change_ends(void)
{
	atomic_fetch_add_explicit(&changes, 1, memory_order_release);
}

void cofl_unwind_tables_add(void *eh_frame, const void *start, size_t bytes)
{
	uint32_t all = n, i = behind((uintptr_t)start, all);
	struct header *h;

	if (all == CHUNK * CHUNKS)
		return;
	if (all % CHUNK == 0 && chunk[all / CHUNK] == NULL)
		atomic_store_explicit(&chunk[all / CHUNK],
				      cofl_xcalloc(CHUNK,
						   sizeof(struct table)),
				      memory_order_release);
	h = cofl_xcalloc(1, sizeof(*h));
	*h = (struct header){ 1, DW_EH_PE_ABSPTR, DW_EH_PE_OMIT, DW_EH_PE_OMIT,
			      { 0 } };
	memcpy(h->eh_frame, &eh_frame, sizeof(eh_frame));
	change_begins();
	for (uint32_t k = all; k > i; k--)
		move(k, k - 1);
	atomic_store_explicit(&at(i)->start, (uintptr_t)start,
			      memory_order_relaxed);
	atomic_store_explicit(&at(i)->end, (uintptr_t)start + bytes,
			      memory_order_relaxed);
	atomic_store_explicit(&at(i)->eh_frame, (uintptr_t)eh_frame,
			      memory_order_relaxed);
	atomic_store_explicit(&at(i)->header, h, memory_order_relaxed);
	n = all + 1;
	change_ends();
}

void cofl_unwind_tables_remove(void *eh_frame)
{
	struct header *h = NULL;
	uint32_t i = 0;

	while (i < n && at(i)->eh_frame != (uintptr_t)eh_frame)
		i++;
	if (i == n)
		return;
	h = at(i)->header;
	change_begins();
	for (uint32_t k = i + 1; k < n; k++)
		move(k - 1, k);
	n = n - 1;
	change_ends();
	/* No frame is in that code any more, so no unwinder is at it. */
	free(h);
}

/* What a reader copies. */
struct copy {
	uintptr_t      start, end;	/* end 0: there is no such table */
	struct header *header;
};

static struct copy copy_of(const struct table *t)
{
	return (struct copy){
		atomic_load_explicit(&t->start, memory_order_relaxed),
		atomic_load_explicit(&t->end, memory_order_relaxed),
		atomic_load_explicit(&t->header, memory_order_relaxed),
	};
}

/* False: a change came meanwhile. */
static bool copy_one(bool next, uintptr_t address, struct copy *out,
		     uint32_t *when)
{
	uint32_t all, i;

	*when = atomic_load_explicit(&changes, memory_order_acquire);
	if (*when % 2 != 0) {
		sched_yield();
		return false;
	}
	all = atomic_load_explicit(&n, memory_order_relaxed);
	out->end = 0;
	/* One that begins at `address` is the next one. */
	i = behind(next && address > 0 ? address - 1 : address, all);
	if (next ? i < all : i > 0)
		*out = copy_of(at(next ? i : i - 1));
	atomic_thread_fence(memory_order_acquire);
	return *when == atomic_load_explicit(&changes, memory_order_relaxed);
}

static struct dl_find_object as_found(const struct copy *c)
{
	return (struct dl_find_object){
		.dlfo_map_start = (void *)c->start,
		.dlfo_map_end = (void *)c->end,
		.dlfo_eh_frame = c->header,
	};
}

bool cofl_unwind_tables_find(const void *pc, struct dl_find_object *found)
{
	struct copy c;
	uint32_t when;

	while (!copy_one(false, (uintptr_t)pc, &c, &when))
		;
	if ((uintptr_t)pc >= c.end)
		return false;
	*found = as_found(&c);
	return true;
}

bool cofl_unwind_tables_next(const void *from, struct dl_find_object *found,
			     uint32_t *count)
{
	struct copy c;

	while (!copy_one(true, (uintptr_t)from, &c, count))
		;
	if (c.end == 0)
		return false;
	*found = as_found(&c);
	return true;
}
