/*
 * hitlist.c - the hit list; see hitlist.h
 */
#include "predictor/hitlist.h"

#include <assert.h>

#include "memory/mem.h"

void cof_hitlist_free(struct cof_hitlist *hits)
{
	cof_mem_free(hits->at);
	*hits = (struct cof_hitlist){ 0 };
}

bool cof_hitlist_reserve(struct cof_hitlist *hits)
{
	return cof_mem_reserve(&hits->at, &hits->capacity, hits->n + 1,
			       sizeof(*hits->at));
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
