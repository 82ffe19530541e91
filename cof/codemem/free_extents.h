/*
 * free_extents.h - the free parts of an area of code memory
 *
 *	area   | block |  hole  | block | block | hole | block |
 *	tag            ^      ^                 ^    ^
 *	               1 + the hole's index, at its first and its last granule
 *
 * Nothing is written into the holes themselves: they are executable, and shared
 * with what runs. A neighbour that is a hole is found by its tag, so merging
 * takes constant time; holes of like size hang in one list, so best fit mostly
 * looks at one. Putting a hole back cannot fail: the room for it was made when
 * its block was handed out.
 *
 * Unit: granules, numbered from the start of the code range. Pure, but for the
 * memory of the array.
 */
#ifndef COF_CODEMEM_FREE_EXTENTS_H
#define COF_CODEMEM_FREE_EXTENTS_H

#include <stdint.h>

#define COF_FREE_EXTENT_NONE UINT32_MAX

/* Lists: one per size up to 64, then four per doubling, up to 2^26. */
#define COF_FREE_EXTENT_LISTS (64 + 4 * 20)

struct cof_free_extent {
	uint32_t at, n;
	uint32_t next, prev;	/* in its list; indices, COF_FREE_EXTENT_NONE: end */
};

struct cof_free_extents {
	uint32_t        *tag;	/* one per granule, zero at first; borrowed */
	struct cof_free_extent *hole;	/* array */
	uint32_t         room, n;
	uint32_t         unused;	/* elements, linked by next */
	uint32_t         list[COF_FREE_EXTENT_LISTS];
};

void cof_free_extents_init(struct cof_free_extents *holes, uint32_t *tag);
void cof_free_extents_free(struct cof_free_extents *holes);

/* Room for n holes in all. 0 or -COF_E_NOMEM. */
int  cof_free_extents_reserve(struct cof_free_extents *holes, uint32_t n);

/* The start of n granules from the smallest hole that has them, or NONE. */
uint32_t cof_free_extents_take(struct cof_free_extents *holes, uint32_t n);

/*
 * [at, at + n) is free now. On return [*lo, *hi) is the hole it became part of,
 * merged with its neighbours.
 */
void cof_free_extents_put(struct cof_free_extents *holes, uint32_t at, uint32_t n,
		   uint32_t *lo, uint32_t *hi);

/* Forget the hole that starts at `at`. */
void cof_free_extents_remove(struct cof_free_extents *holes, uint32_t at);

#endif /* COF_CODEMEM_FREE_EXTENTS_H */
