/*
 * retired_record.h - a version between RETIRED and the end of its record
 *
 * Thread: P/O, for reclaim (reclaim/reclaim.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_version;

struct cof_version_retired {
	struct cof_version *next;
	uint64_t            at_ns;	/* when it was retired; then when it
					 * entered QUARANTINE */
	uint64_t            sam_turn;	/* when it was found empty; then when it
					 * left the index */
	uint64_t            pre_turn;	/* when SAM was seen to be done with it;
					 * UINT64_MAX: not yet */
	bool                empty;	/* no thread is inside; it waits for
					 * SAM */
	bool                never;	/* [code] not freed before its method is
					 * unloaded (native_code), or ever
					 * (patcher/direct_entry.h) */
};
