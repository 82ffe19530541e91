/*
 * retired_record.h - a version on its way from RETIRED to its record's end
 *
 * Thread: P/O, which reclaims (reclaim/reclaim.h).
 */
#ifndef COF_CODE_RETIRED_RECORD_H
#define COF_CODE_RETIRED_RECORD_H

#include <stdbool.h>
#include <stdint.h>

struct cof_version;

struct cof_version_retired {
	struct cof_version *next;
	uint64_t            at_ns;	/* when it was retired; then when it
					 * entered QUARANTINE */
	uint64_t            sam_turn;	/* as of when it was found empty; then
					 * as of leaving the index */
	uint64_t            pre_turn;	/* as of when SAM was seen to be done
					 * with it; UINT64_MAX: not yet */
	bool                empty;	/* nobody is inside; it waits for SAM */
	bool                never;	/* [code] it stays: patcher/version_copy.h */
};

#endif /* COF_CODE_RETIRED_RECORD_H */
