/*
 * build_record.h - builds of a method, and what a version promises
 *
 * Thread: P/O, if nothing else is said. What others read is stored and loaded
 * relaxed: each value stands for itself.
 */
#ifndef COF_CODE_BUILD_RECORD_H
#define COF_CODE_BUILD_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What becomes of a method now, and how cof-stats says it. */
#define COF_METHOD_STATES(X)						\
	X(QUIET,    "open")						\
	X(BUILDING, "building")						\
	X(COUNTING, "counting")	/* its current version counts */	\
	X(FULL,     "full")	/* counted enough, to be built */	\
	X(IGNORED,  "ignored")

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
	/* Time in former versions, as if at the speed of the current one. */
	double           past_ns;

	/* From gather(), for the next build too. The worker's that builds it;
	 * P/O sees to it that there is only one. */
	void            *ir;

	uint32_t         tried;		/* builds so far */
	_Atomic uint32_t state;		/* enum cof_method_state; cof-stats and
					 * PRE read it */
	bool             pending;	/* one is queued, or a worker's */

	/* The method was known to be hot from the run's start, no plan was
	 * worth building for that, and it was not picked since. The history
	 * reads it. */
	_Atomic bool     not_worth;
};

/*
 * What is expected of a version before a trial of this run has shown anything.
 * Constant once it is installed. Errors and speed-ups in thousandths.
 */
struct cof_version_promise {
	double   speedup;	/* over the former version; 0: not known */
	uint32_t unit;		/* the same for all that build_group() built as
				 * one; 0: built alone */
	uint32_t proven_permille; /* measured in an earlier run; 0: not so */

	/* So far in earlier runs' trials, which did not end, and the standard
	 * error of that; 0: there were none. */
	uint32_t progress_permille, progress_error;

	bool     cached;	/* the host had it from an earlier run, */
	bool     showed_nothing; /* and a trial of it then did not tell */
};

#endif /* COF_CODE_BUILD_RECORD_H */
