/*
 * backoff_record.h - why a method is backed off, and for how long
 *
 * Thread: P/O. The rules are in optimizer/facts/backoff.h.
 */
#pragma once

#include <stdint.h>

/* Reasons, and their text in a log line. */
#define COF_BACKOFF_REASONS(X)				\
	X(NO,          "no")				\
	X(NO_ESTIMATE, "no better plan")		\
	X(NOT_WORTH,   "not worth it yet")		\
	X(NO_IR,       "no IR")				\
	X(DECLINED,    "declined")			\
	X(DRY_RUN,     "dry run")

enum cof_backoff {
#define COF_BACKOFF_ENUM(name, text) COF_BACKOFF_##name,
	COF_BACKOFF_REASONS(COF_BACKOFF_ENUM)
#undef COF_BACKOFF_ENUM
};

struct cof_method_backoff {
	uint64_t         until;		/* generation in which it expires */
	enum cof_backoff reason;
	uint32_t         doublings;	/* of the next one's length */
};
