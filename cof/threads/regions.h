/*
 * regions.h - code ranges with unwind tables, for signal handlers to look up
 *
 *	             add, remove     enter ... leave
 *	add, remove  lock inside     -
 *	enter        -               -
 *
 * "-": safe together. The ranges are an array, replaced as a whole:
 *
 *	handler: enter, leave           add, remove
 *	walkers + 1        (A)          store current      (C)
 *	load current       (B)          load walkers       (D)
 *	... use the region              0: free what was replaced before
 *	walkers - 1        (E)
 *
 * A to D are sequentially consistent: either D counts the walker, or B sees
 * what C stored. E is a release and D also an acquire: who reads 0 comes after
 * all loads of those who left. If D does not read 0, whoever comes next frees.
 *
 * Nobody waits for walkers, since nothing they look at is anybody else's: a
 * region holds a copy of its .eh_frame. If another signal's handler leaves a
 * walk by siglongjmp(3) the count stays up, and what is replaced is kept.
 *
 * A region that is removed without memory for a new array is marked `removed`
 * and left out of the next one. The mark orders nothing: who misses it walks
 * what is still whole.
 *
 * One set for the process: a handler knows addresses, not instances.
 */
#ifndef COF_THREADS_REGIONS_H
#define COF_THREADS_REGIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element of the search table libunwind reads: offsets from region.start. */
struct cof_region_entry {
	int32_t ip, fde;
};

struct cof_region {
	uint64_t start, end;
	uint64_t frames, frames_end;		/* where the .eh_frame was */
	unsigned char     *copy;		/* and the words around, as 0 */
	struct cof_region *next;		/* to be freed with this one */
	_Atomic bool       removed;
	uint64_t n;
	struct cof_region_entry entry[];	/* sorted by ip */
};

/* As cof_unwind_add() and cof_unwind_remove(). */
int  cof_regions_add(const void *start, const void *end, const void *eh_frame,
		     size_t bytes);
void cof_regions_remove(const void *start);

/*
 * The region that holds `at`, which stays until cof_regions_leave(); or NULL,
 * and there is nothing to leave. Async-signal-safe.
 */
const struct cof_region *cof_regions_enter(uint64_t at);
void cof_regions_leave(void);

/* The copy of [r->frames, frames_end) is of whole words: these. */
static inline uint64_t cof_region_words(const struct cof_region *r)
{
	return r->frames & ~7ull;
}

static inline uint64_t cof_region_words_end(const struct cof_region *r)
{
	return (r->frames_end + 7) & ~7ull;
}

/*
 * Around fork(2), by api/fork_hooks.c. unlock(true) is for the child, and tells whether
 * some thread was walking, which is not there any more.
 */
void cof_regions_lock(void);
bool cof_regions_unlock(bool child);

#endif /* COF_THREADS_REGIONS_H */
