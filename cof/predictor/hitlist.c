/*
 * hitlist.c - the hit list; see hitlist.h
 */
#include "predictor/hitlist.h"

#include <assert.h>

#include "memory/mem.h"

#define CAPACITY_FIRST 64u	/* members; doubles when full */

void cof_hitlist_free(struct cof_hitlist *hits)
{
	cof_mem_free(hits->at);
	*hits = (struct cof_hitlist){ 0 };
}

bool cof_hitlist_reserve(struct cof_hitlist *hits)
{
	uint32_t capacity =
		hits->capacity ? hits->capacity * 2 : CAPACITY_FIRST;
	struct cof_version **at;

	if (hits->n < hits->capacity)
		return true;
	if (capacity < hits->capacity)
		return false;
	at = cof_mem_realloc(hits->at, capacity * sizeof(*at));
	if (!at)
		return false;
	hits->at = at;
	hits->capacity = capacity;
	return true;
}

void cof_hitlist_add(struct cof_hitlist *hits, struct cof_version *version)
{
	assert(hits->n < hits->capacity);
	hits->at[hits->n++] = version;
}

void cof_hitlist_remove(struct cof_hitlist *hits, uint32_t i)
{
	assert(i < hits->n);
	hits->at[i] = hits->at[--hits->n];
}
