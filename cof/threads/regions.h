/*
 * regions.h - code ranges with unwind tables, for signal handlers to look up
 *
 *	             add, remove     enter ... leave
 *	add, remove  lock inside     -
 *	enter        -               -
 *
 * "-": both may run at once. The ranges are an array, replaced as a whole:
 *
 *	handler: enter, leave           add, remove
 *	walkers + 1        (A)          store current      (C)
 *	load current       (B)          load walkers       (D)
 *	... use the region              0: free what was replaced before
 *	walkers - 1        (E)
 *
 * A to D are sequentially consistent: either D counts the walker, or B sees
 * what C stored. E is a release and D also an acquire: if D reads 0, all loads
 * of the walkers that left came before. If D does not read 0, the next add or
 * remove frees.
 *
 * No caller waits for walkers, since walkers look at nothing of anybody else's:
 * a region holds a copy of its .eh_frame. If another signal's handler leaves a
 * walk by siglongjmp(3), the count never gets back to 0, and replaced arrays
 * are never freed.
 *
 * A removed region stays in the array, marked `removed`, if there is no memory
 * for a new array; the next array leaves it out. The mark orders nothing: a
 * walker that misses it walks a region that is still whole.
 *
 * Process-wide, one set for all instances: a handler knows addresses, not
 * instances.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element of libunwind's search table: offsets from region.start. */
struct cof_region_entry {
	int32_t ip, fde;
};

struct cof_region {
	uint64_t start, end;
	uint64_t frames, frames_end;		/* where the .eh_frame was */
	unsigned char     *copy;		/* of it, 0-padded to words */
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
 * The region that holds `at`. It stays until cof_regions_leave(). NULL: there
 * is none, and nothing to leave. Async-signal-safe.
 */
const struct cof_region *cof_regions_enter(uint64_t at);
void cof_regions_leave(void);

/* The addresses that r->copy stands for: [r->frames, frames_end) in words. */
static inline uint64_t cof_region_words(const struct cof_region *r)
{
	return r->frames & ~7ull;
}

static inline uint64_t cof_region_words_end(const struct cof_region *r)
{
	return (r->frames_end + 7) & ~7ull;
}

/*
 * For api/fork_hooks.c, around fork(2). The child calls unlock(true), which
 * returns whether a thread was walking when it forked.
 */
void cof_regions_lock(void);
bool cof_regions_unlock(bool child);
