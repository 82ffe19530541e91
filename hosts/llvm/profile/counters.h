/*
 * counters.h - a version's counters in the block of each thread
 *
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The layout of a thread's range. */
struct cofl_counters {
	uint32_t  n;		/* 8 bytes each, by chord, from 0; one more
				 * for what need not be counted */
	bool     *chord;	/* by edge; allocated */
	uint32_t *number;	/* by edge that is a chord; allocated */
	size_t    sites;	/* offset of a struct cofl_top a site */
	size_t    bytes;	/* of all */
};

/* Fill in all but .chord, which is there. */
void cofl_counters_lay_out(struct cofl_counters *counters, uint32_t n_edges,
			   uint32_t n_sites);
void cofl_counters_free(struct cofl_counters *counters);
