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

static void tag(struct cof_free_extents *set, uint32_t i, uint32_t value)
{
	const struct cof_free_extent *e = &set->extent[i];

	set->tag[e->at] = value;
	set->tag[e->at + e->n - 1] = value;
}

static void link_in(struct cof_free_extents *set, uint32_t i)
{
	struct cof_free_extent *e = &set->extent[i];
	uint32_t *head = &set->list[list_of(e->n)];

	e->prev = COF_FREE_EXTENT_NONE;
	e->next = *head;
	if (e->next != COF_FREE_EXTENT_NONE)
		set->extent[e->next].prev = i;
	*head = i;
	tag(set, i, i + 1);
}

static void unlink_out(struct cof_free_extents *set, uint32_t i)
{
	struct cof_free_extent *e = &set->extent[i];

	tag(set, i, 0);
	if (e->next != COF_FREE_EXTENT_NONE)
		set->extent[e->next].prev = e->prev;
	if (e->prev != COF_FREE_EXTENT_NONE)
		set->extent[e->prev].next = e->next;
	else
		set->list[list_of(e->n)] = e->next;
}

static void drop(struct cof_free_extents *set, uint32_t i)
{
	unlink_out(set, i);
	set->extent[i].next = set->unused;
	set->unused = i;
	set->n--;
}

void cof_free_extents_init(struct cof_free_extents *set, uint32_t *tags)
{
	*set = (struct cof_free_extents){
		.tag = tags,
		.unused = COF_FREE_EXTENT_NONE,
	};
	for (uint32_t i = 0; i < COF_FREE_EXTENT_LISTS; i++)
		set->list[i] = COF_FREE_EXTENT_NONE;
}

void cof_free_extents_free(struct cof_free_extents *set)
{
	cof_mem_free(set->extent);
	set->extent = NULL;
}

int cof_free_extents_reserve(struct cof_free_extents *set, uint32_t n)
{
	uint32_t i = set->allocated;

	if (!cof_mem_reserve(&set->extent, &set->allocated, n,
			     sizeof(*set->extent)))
		return -COF_E_NOMEM;
	for (; i < set->allocated; i++) {
		set->extent[i].next = set->unused;
		set->unused = i;
	}
	return 0;
}

/* The smallest extent of a list that has n granules. */
static uint32_t best(const struct cof_free_extents *set, uint32_t list,
		     uint32_t n)
{
	uint32_t found = COF_FREE_EXTENT_NONE;

	for (uint32_t i = set->list[list]; i != COF_FREE_EXTENT_NONE;
	     i = set->extent[i].next) {
		uint32_t has = set->extent[i].n;

		if (has == n)
			return i;
		if (has > n && (found == COF_FREE_EXTENT_NONE ||
				 has < set->extent[found].n))
			found = i;
	}
	return found;
}

uint32_t cof_free_extents_take(struct cof_free_extents *set, uint32_t n)
{
	for (uint32_t list = list_of(n); list < COF_FREE_EXTENT_LISTS; list++) {
		uint32_t i = best(set, list, n);
		struct cof_free_extent *e;
		uint32_t at;

		if (i == COF_FREE_EXTENT_NONE)
			continue;
		e = &set->extent[i];
		at = e->at;
		if (e->n == n) {
			drop(set, i);
		} else {
			unlink_out(set, i);
			e->at += n;
			e->n -= n;
			link_in(set, i);
		}
		return at;
	}
	return COF_FREE_EXTENT_NONE;
}

void cof_free_extents_put(struct cof_free_extents *set, uint32_t at,
			  uint32_t n, uint32_t *lo, uint32_t *hi)
{
	uint32_t before = at > 0 ? set->tag[at - 1] : 0;
	uint32_t after = set->tag[at + n];
	uint32_t i;

	*lo = at;
	*hi = at + n;
	if (before) {
		*lo = set->extent[before - 1].at;
		drop(set, before - 1);
	}
	if (after) {
		*hi += set->extent[after - 1].n;
		drop(set, after - 1);
	}
	i = set->unused;
	assert(i != COF_FREE_EXTENT_NONE);	/* cof_free_extents_reserve() */
	set->unused = set->extent[i].next;
	set->extent[i].at = *lo;
	set->extent[i].n = *hi - *lo;
	link_in(set, i);
	set->n++;
}

void cof_free_extents_remove(struct cof_free_extents *set, uint32_t at)
{
	assert(set->tag[at]);
	drop(set, set->tag[at] - 1);
}
