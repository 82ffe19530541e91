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

#define COF_HOLE_NONE UINT32_MAX

/* Lists: one per size up to 64, then four per doubling, up to 2^26. */
#define COF_HOLE_LISTS (64 + 4 * 20)

struct cof_hole {
	uint32_t at, n;
	uint32_t next, prev;	/* in its list; indices, COF_HOLE_NONE: end */
};

struct cof_holes {
	uint32_t        *tag;	/* one per granule, zero at first; borrowed */
	struct cof_hole *hole;	/* array */
	uint32_t         room, n;
	uint32_t         unused;	/* elements, linked by next */
	uint32_t         list[COF_HOLE_LISTS];
};

void cof_holes_init(struct cof_holes *holes, uint32_t *tag);
void cof_holes_free(struct cof_holes *holes);

/* Room for n holes in all. 0 or -COF_E_NOMEM. */
int  cof_holes_reserve(struct cof_holes *holes, uint32_t n);

/* The start of n granules from the smallest hole that has them, or NONE. */
uint32_t cof_holes_take(struct cof_holes *holes, uint32_t n);

/*
 * [at, at + n) is free now. On return [*lo, *hi) is the hole it became part of,
 * merged with its neighbours.
 */
void cof_holes_put(struct cof_holes *holes, uint32_t at, uint32_t n,
		   uint32_t *lo, uint32_t *hi);

/* Forget the hole that starts at `at`. */
void cof_holes_remove(struct cof_holes *holes, uint32_t at);

#endif /* COF_CODEMEM_FREE_EXTENTS_H */
