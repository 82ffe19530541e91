/*
 * build_record.h - the builds of a method, and what a version promises
 *
 * Thread: P/O, unless a comment says otherwise. Fields that other threads read
 * are stored and loaded relaxed: they order nothing else.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/improved.h"

/* States of a method, and their names in cof-stats. */
#define COF_METHOD_STATES(X)						\
	X(QUIET,    "open")						\
	X(BUILDING, "building")						\
	X(COUNTING, "counting")	/* its current version counts */	\
	X(FULL,     "full")	/* it counted enough, to be built */	\
	X(BACKED_OFF, "backoff")	/* no build of it, for some time */

enum cof_method_state {
#define COF_METHOD_ENUM(name, text) COF_METHOD_##name,
	COF_METHOD_STATES(COF_METHOD_ENUM)
#undef COF_METHOD_ENUM
};

/* NULL: there is no such state. */
static inline const char *cof_method_state_name(uint32_t state)
{
	static const char *const name[] = {
#define COF_METHOD_NAME(name, text) text,
		COF_METHOD_STATES(COF_METHOD_NAME)
#undef COF_METHOD_NAME
	};

	return state < sizeof(name) / sizeof(name[0]) ? name[state] : NULL;
}

/* The builds of a method. */
struct cof_method_build {
	/* Time spent in former versions, at the speed of the current one. */
	double           past_ns;

	/*
	 * From gather(), for the next build too. Owner: the worker that builds
	 * it; P/O sees to it that there is only one.
	 */
	void            *ir;

	uint32_t         tried;		/* builds so far */
	_Atomic uint32_t state;		/* enum cof_method_state; cof-stats and
					 * PRE read it */
	bool             pending;	/* a build is queued, or at a worker */

	/*
	 * The method was known to be hot from the run's start, no plan was
	 * worth a build, and P/O has not picked it since. The history reads it.
	 */
	_Atomic bool     not_worth;

	/* It is hot in frames that entered it before it counted, so its counts
	 * are of what else enters it. The history reads it. */
	_Atomic bool     counts_others;

	struct cof_method_improved improved;	/* SAM reads it */
};

/*
 * What is expected of a version before a trial of this run has shown anything.
 * Constant once the version is installed. Errors and speed-ups are in
 * thousandths.
 */
struct cof_version_promise {
	double   speedup;	/* over the former version; 0: not known */
	double   promised;	/* the same, by the host, uncorrected; 0: it
				 * did not say */
	uint32_t unit;		/* the same for all versions of one
				 * build_unit(); 0: built alone */
	uint32_t proven_permille; /* as an earlier run measured; 0: not */

	/* As earlier runs' trials, which did not end, have shown so far, and
	 * the standard error of that; 0: there were none. */
	uint32_t progress_permille, progress_error;

	bool     cached;	/* the host had cached it in an earlier run */
	bool     showed_nothing; /* a trial in an earlier run saw nothing */
};
