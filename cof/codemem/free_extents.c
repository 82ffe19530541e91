/*
 * free_extents.c - best fit over lists by size, merging by tags at both ends
 */
#include "codemem/free_extents.h"

#include <assert.h>

#include "cof.h"
#include "memory/mem.h"

static uint32_t list_of(uint32_t n)
{
	uint32_t lg;

	if (n <= 64)
		return n - 1;
	lg = 31 - (uint32_t)__builtin_clz(n);
	return 64 + (lg - 6) * 4 + (n >> (lg - 2) & 3);
}

static void tag(struct cof_free_extents *holes, uint32_t i, uint32_t value)
{
	const struct cof_free_extent *h = &holes->hole[i];

	holes->tag[h->at] = value;
	holes->tag[h->at + h->n - 1] = value;
}

static void link_in(struct cof_free_extents *holes, uint32_t i)
{
	struct cof_free_extent *h = &holes->hole[i];
	uint32_t *head = &holes->list[list_of(h->n)];

	h->prev = COF_FREE_EXTENT_NONE;
	h->next = *head;
	if (h->next != COF_FREE_EXTENT_NONE)
		holes->hole[h->next].prev = i;
	*head = i;
	tag(holes, i, i + 1);
}

static void unlink_out(struct cof_free_extents *holes, uint32_t i)
{
	struct cof_free_extent *h = &holes->hole[i];

	tag(holes, i, 0);
	if (h->next != COF_FREE_EXTENT_NONE)
		holes->hole[h->next].prev = h->prev;
	if (h->prev != COF_FREE_EXTENT_NONE)
		holes->hole[h->prev].next = h->next;
	else
		holes->list[list_of(h->n)] = h->next;
}

static void drop(struct cof_free_extents *holes, uint32_t i)
{
	unlink_out(holes, i);
	holes->hole[i].next = holes->unused;
	holes->unused = i;
	holes->n--;
}

void cof_free_extents_init(struct cof_free_extents *holes, uint32_t *tags)
{
	*holes = (struct cof_free_extents){ .tag = tags, .unused = COF_FREE_EXTENT_NONE };
	for (uint32_t i = 0; i < COF_FREE_EXTENT_LISTS; i++)
		holes->list[i] = COF_FREE_EXTENT_NONE;
}

void cof_free_extents_free(struct cof_free_extents *holes)
{
	cof_mem_free(holes->hole);
	holes->hole = NULL;
}

int cof_free_extents_reserve(struct cof_free_extents *holes, uint32_t n)
{
	uint32_t room = holes->room ? holes->room : 16;
	struct cof_free_extent *hole;

	if (n <= holes->room)
		return 0;
	while (room < n)
		room *= 2;
	hole = cof_mem_realloc(holes->hole, room * sizeof(*hole));
	if (!hole)
		return -COF_E_NOMEM;
	for (uint32_t i = holes->room; i < room; i++) {
		hole[i].next = holes->unused;
		holes->unused = i;
	}
	holes->hole = hole;
	holes->room = room;
	return 0;
}

/* The smallest of a list that has n granules. */
static uint32_t best(const struct cof_free_extents *holes, uint32_t list, uint32_t n)
{
	uint32_t found = COF_FREE_EXTENT_NONE;

	for (uint32_t i = holes->list[list]; i != COF_FREE_EXTENT_NONE;
	     i = holes->hole[i].next) {
		uint32_t has = holes->hole[i].n;

		if (has >= n && (found == COF_FREE_EXTENT_NONE ||
				 has < holes->hole[found].n))
			found = i;
	}
	return found;
}

uint32_t cof_free_extents_take(struct cof_free_extents *holes, uint32_t n)
{
	for (uint32_t list = list_of(n); list < COF_FREE_EXTENT_LISTS; list++) {
		uint32_t i = best(holes, list, n);
		struct cof_free_extent *h;
		uint32_t at;

		if (i == COF_FREE_EXTENT_NONE)
			continue;
		h = &holes->hole[i];
		at = h->at;
		if (h->n == n) {
			drop(holes, i);
		} else {
			unlink_out(holes, i);
			h->at += n;
			h->n -= n;
			link_in(holes, i);
		}
		return at;
	}
	return COF_FREE_EXTENT_NONE;
}

void cof_free_extents_put(struct cof_free_extents *holes, uint32_t at, uint32_t n,
		   uint32_t *lo, uint32_t *hi)
{
	uint32_t before = at > 0 ? holes->tag[at - 1] : 0;
	uint32_t after = holes->tag[at + n];
	uint32_t i;

	*lo = at;
	*hi = at + n;
	if (before) {
		*lo = holes->hole[before - 1].at;
		drop(holes, before - 1);
	}
	if (after) {
		*hi += holes->hole[after - 1].n;
		drop(holes, after - 1);
	}
	i = holes->unused;
	assert(i != COF_FREE_EXTENT_NONE);	/* cof_free_extents_reserve() */
	holes->unused = holes->hole[i].next;
	holes->hole[i].at = *lo;
	holes->hole[i].n = *hi - *lo;
	link_in(holes, i);
	holes->n++;
}

void cof_free_extents_remove(struct cof_free_extents *holes, uint32_t at)
{
	assert(holes->tag[at]);
	drop(holes, holes->tag[at] - 1);
}
