/*
 * reclaim_private.h - what reclaim.c and reclaim_due.c share
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "code/version_list.h"
#include "reclaim/scan.h"

struct cof;

struct cof_reclaim {
	struct cof_scan  scan;

	/* [code] */
	bool             disabled;

	/* P/O's. */
	struct cof_version_list retired, quarantine, free;
	struct cof_version_list never_freed;	/* copied versions, and those
						 * that stand for them
						 * (native_code) */
	struct cof_scan_range  *range;	/* of retired, in its order */
	uint32_t         allocated;	/* elements of range */
	uint64_t         search_ns;	/* when the next search is due */
	uint64_t         afford_ns;	/* earlier, a search costs too much */
	uint32_t         backoff;	/* searches in vain, in a row */
	uint64_t         ended_ns;	/* the last round */
	uint32_t         kept;		/* rounds that freed no record, in a
					 * row */
};

/* A search has found `found` versions that no thread is in, for `cost_ns` of
 * CPU time: when is the next? */
void cof_reclaim_due_search(struct cof *cof, struct cof_reclaim *reclaim,
			    uint32_t found, uint64_t cost_ns);

/* At the end of a round. `records` of code that is free were there before. */
void cof_reclaim_due_after_round(struct cof_reclaim *reclaim,
				 uint32_t records);
