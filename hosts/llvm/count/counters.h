/*
 * counters.h - a version's counters in the block of each thread
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/body.h"

/* The layout of a thread's range. */
struct cofl_counters {
	uint32_t  n;		/* 8 bytes each, by chord, from 0; one more
				 * for what need not be counted */
	bool     *chord;	/* by edge */
	uint32_t *number;	/* by edge that is a chord */
	size_t    sites;	/* offset of a struct cofl_top a site */
	size_t    bytes;	/* of all */
};

void cofl_counters_init(struct cofl_counters *counters,
			const struct cofl_body *body);
void cofl_counters_free(struct cofl_counters *counters);
