/*
 * backoff_record.h - why a method is backed off, and for how long
 *
 * Thread: P/O. The rules are in optimizer/facts/backoff.h.
 */
#pragma once

#include <stdint.h>

enum cof_backoff {
	COF_BACKOFF_NO,
	COF_BACKOFF_NO_ESTIMATE,
	COF_BACKOFF_NOT_WORTH,
	COF_BACKOFF_NO_IR,
	COF_BACKOFF_DECLINED,
	COF_BACKOFF_DRY_RUN,
};

struct cof_method_backoff {
	uint64_t         until;		/* generation in which it expires */
	enum cof_backoff reason;
	uint32_t         doublings;	/* of the next one's length */
};
