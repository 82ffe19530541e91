/*
 * derived.h - figures made of several counters
 *
 * The one place in cof-stats that knows counters by name. The file may be of
 * another build: a figure whose counters are missing is missing too.
 */
#ifndef COF_TOOLS_DERIVED_H
#define COF_TOOLS_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

struct derived_part {
	bool     known;
	uint64_t value;
};

struct derived {
	/* Of the guest's CPU time: what watching and deciding cost, and what
	 * building cost. */
	bool   overhead_known, builds_known;
	double overhead_pct, builds_pct;

	/* Code memory, bytes. */
	struct derived_part reserved, first, hot, retired, data;
};

struct derived derived_of(const struct reader *r);

#endif /* COF_TOOLS_DERIVED_H */
