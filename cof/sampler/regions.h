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
 * One set for the process: a handler knows addresses, not instances.
 */
#ifndef COF_SAMPLER_REGIONS_H
#define COF_SAMPLER_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element of the search table libunwind reads: offsets from region.start. */
struct cof_region_entry {
	int32_t ip, fde;
};

struct cof_region {
	uint64_t start, end;
	uint64_t frames, frames_end;		/* the .eh_frame */
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

/* Around fork(2), by fork.c. */
void cof_regions_lock(void);
void cof_regions_unlock(bool child);

#endif /* COF_SAMPLER_REGIONS_H */
