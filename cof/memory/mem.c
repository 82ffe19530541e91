/*
 * mem.c - libcof's own memory, from malloc(3); see mem.h
 */
#include "memory/mem.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/flow.h"
#include "cof.h"
#include "memory/mem_account.h"

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

static void *block_new(size_t bytes)
{
	void *p;

	if (bytes > PTRDIFF_MAX)
		return NULL;
	if (bytes == 0)
		bytes = 1;
	if (bytes < COF_CACHELINE)
		p = calloc(1, bytes);
	else if (posix_memalign(&p, COF_CACHELINE, bytes) == 0)
		zero_tail(p, 0, bytes);
	else
		p = NULL;
	if (p != NULL)
		zero_tail(p, bytes, malloc_usable_size(p));
	return p;
}

/* realloc(3) does not keep the alignment. */
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
	free(p);
	return to;
}

void *cof_mem_alloc(size_t size_bytes)
{
	void *p = block_new(size_bytes);

	if (p != NULL)
		cof_mem_account_count(malloc_usable_size(p), 1);
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
	was = malloc_usable_size(p);
	to = block_move(p, size_bytes != 0 ? size_bytes : 1, was);
	if (to != NULL)
		cof_mem_account_count(malloc_usable_size(to) - was, 0);
	return to;
}

bool cof_mem_reserve(void *array, uint32_t *room, uint32_t n, size_t bytes)
{
	uint32_t to = *room * 2 > n ? *room * 2 : n;
	void *p;

	if (n <= *room)
		return true;
	memcpy(&p, array, sizeof(p));
	p = cof_mem_realloc(p, to * bytes);
	if (p == NULL)
		return false;
	memcpy(array, &p, sizeof(p));
	*room = to;
	return true;
}

void cof_mem_free(void *p)
{
	if (p == NULL)
		return;
	cof_mem_account_count(-malloc_usable_size(p), (size_t)-1);
	free(p);
}

char *cof_mem_strdup(const char *s)
{
	size_t bytes = strlen(s) + 1;
	char *p = cof_mem_alloc(bytes);

	return p ? memcpy(p, s, bytes) : NULL;
}
