/*
 * free_extents.h - the free parts of an area of code memory
 *
 *	area   | block |  free  | block | block | free | block |
 *	tag            ^      ^                 ^    ^
 *	               1 + the extent's index, at its first and its last granule
 *
 * Nothing is written into the free extents themselves: their pages are
 * executable, and shared with code that runs. A tag says whether a neighbour is
 * free, so merging takes constant time. Extents of like size are in one list,
 * so best fit looks at one list as a rule. Returning a block cannot fail: the
 * array's element for it was allocated when the block was handed out.
 *
 * Unit: granules, numbered from the start of the code range. Pure, but for the
 * memory of the array.
 */
#pragma once

#include <stdint.h>

#define COF_FREE_EXTENT_NONE UINT32_MAX

/* Lists: one per size up to 64, then four per doubling, up to 2^26. */
#define COF_FREE_EXTENT_LISTS (64 + 4 * 20)

struct cof_free_extent {
	uint32_t at, n;
	uint32_t next, prev;	/* in its list: indices; ..._NONE: the end */
};

struct cof_free_extents {
	uint32_t        *tag;	/* one per granule, zero at first; borrowed */
	struct cof_free_extent *extent;	/* array of `allocated` elements */
	uint32_t         allocated, n;
	uint32_t         unused;	/* elements, linked by next */
	uint32_t         list[COF_FREE_EXTENT_LISTS];
};

void cof_free_extents_init(struct cof_free_extents *set, uint32_t *tag);
void cof_free_extents_free(struct cof_free_extents *set);

/* Allocate elements for n extents in all. 0 or -COF_E_NOMEM. */
int  cof_free_extents_reserve(struct cof_free_extents *set, uint32_t n);

/*
 * Take n granules from the smallest extent that has them. Returns the first
 * granule, or COF_FREE_EXTENT_NONE.
 */
uint32_t cof_free_extents_take(struct cof_free_extents *set, uint32_t n);

/*
 * [at, at + n) is free from now on. On return [*lo, *hi) is the extent it is
 * part of, merged with its free neighbours.
 */
void cof_free_extents_put(struct cof_free_extents *set, uint32_t at,
			  uint32_t n, uint32_t *lo, uint32_t *hi);

/* Forget the extent that starts at `at`. */
void cof_free_extents_remove(struct cof_free_extents *set, uint32_t at);
