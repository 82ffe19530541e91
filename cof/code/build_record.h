/*
 * build_record.h - what was built of a method, and what is expected of a version
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
	double           past_ns;	/* time in former versions, as if at the
					 * speed of the current one */
	void            *ir;		/* from gather(), for the next build too.
					 * The worker's that builds it: P/O sees
					 * to it that there is only one */
	uint32_t         tried;		/* builds so far */
	_Atomic uint32_t state;		/* enum cof_method_state; cof-stats and
					 * PRE read it */
	bool             pending;	/* one is queued, or a worker's */
	_Atomic bool     not_worth;	/* known to be hot from the run's start,
					 * no plan was worth building, and it was
					 * not picked since; the history reads */
};

/* What is expected of a version that was built, before a trial of this run has
 * shown anything. Constant once it is installed. */
struct cof_version_promise {
	double   speedup;		/* over the former version; 0: not known */
	uint32_t unit;			/* the same for versions that build_group()
					 * built as one; 0: built alone */
	uint32_t proven_permille;	/* speed-up measured in an earlier run; 0:
					 * none was */
	uint32_t progress_permille;	/* the same, of trials in earlier runs that
					 * have not ended, and its standard */
	uint32_t progress_error;	/* error, permille; 0: there are none */
	bool     cached;		/* the host had it from an earlier run */
	bool     showed_nothing;	/* and a trial of it then did not tell */
};

#endif /* COF_CODE_BUILD_RECORD_H */
