/*
 * profile.h - a method on its way to a version built with its own profile
 *
 *	picked     instrument()      counts       full enough      collect(),
 *	  |            |               |               |           build
 *	  v            v               v               v             v
 *	STARTING --> COUNTING ---------------------> FULL ------> BUILDING --> HAS
 *	  |            |                               ^ others join it (optimizer/build/unit_select.h)
 *	  +------------+--> NO, and the version before is current again
 *
 * While it counts, the version that was current before is parked (patcher.h),
 * and it goes on in there as soon as it is full: the build may take seconds,
 * and counting code is slow.
 *
 * HAS: the host keeps the profile, for any later build. It was seen in one phase
 * of the program, so when another has begun the method may be instrumented
 * again: once in a phase, each time after twice as many phases, and only if its
 * samples fall elsewhere there (optimizer/policy/reprofile.h).
 *
 * Pure: no thread, no clock, no host. Owner: P/O.
 */
#ifndef COF_OPTIMIZER_INSTRUMENTED_PROFILE_H
#define COF_OPTIMIZER_INSTRUMENTED_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/version.h"
#include "measure/profile_drift.h"

struct cof_opts;

enum cof_profile_state {
	COF_PROFILE_NO,
	COF_PROFILE_STARTING,	/* a worker builds the counting version */
	COF_PROFILE_COUNTING,	/* that is current */
	COF_PROFILE_FULL,	/* and was; not collected yet */
	COF_PROFILE_BUILDING,	/* a worker collects, and builds with it */
	COF_PROFILE_HAS,
};

struct cof_profile {
	struct cof_method  *method;
	struct cof_profile *next;	/* of all the instance's */

	enum cof_profile_state state;
	uint64_t since;			/* generation in which that began */
	bool     collected;		/* the host has one, maybe of before */

	/* As picked. */
	uint32_t over;			/* number of the version before */
	uint32_t counting;		/* and of the counting one */
	double   past_ns;		/* of the method, to go back to */
	double   speedup, urgency;
	uint64_t estimated_ns, expected_ns;
	struct cof_version *counts;	/* the counting one, PARKED until it is
					 * collected: the host frees its counts
					 * with it; NULL: none, or current */
	uint64_t spent_ns;		/* on instrument() and collect() */
	double   heat;			/* when it became full; optimizer/build/unit_select.h */
	uint64_t windows;		/* PRE's, as of then; instrumented.c */
	const void *known;		/* of an earlier run: to be loaded in the
					 * place of collect(); NULL: none */
	size_t   known_bytes;
	uint32_t proven_permille;	/* then: as in optimizer/build/build.h */

	uint64_t phase;			/* in which it was picked last */
	uint32_t in_phase;		/* and counted: optimizer/phases/phase_reuse.h; 0: not known */
	uint32_t mixed;			/* times it was thrown away for counting
					 * in two phases */
	uint64_t earliest_phase;			/* not before this phase */
	uint32_t times;			/* picked so far */
	struct cof_profile_drift drift;		/* of the version that has it: optimizer/policy/reprofile.h */
};

/* All there are. */
struct cof_profiles {
	struct cof_profile *first;
	uint32_t            counting, full;	/* in these states */
	uint32_t            in_phase;	/* the last one that the program was in;
					 * instrumented.c */
};

/* The method's; made if there is none. NULL: no memory. */
struct cof_profile *cof_profiles_of(struct cof_profiles *all,
				    struct cof_method *method);

/* Change its state, as of `generation`. */
void cof_profile_enter(struct cof_profiles *all, struct cof_profile *p,
		       enum cof_profile_state state, uint64_t generation);

/* It was picked in `phase`: counts it, and says when it may be again. */
void cof_profile_picked(struct cof_profile *p, uint64_t phase);

/* May the method be instrumented in `phase`? `p` may be NULL: never was. */
bool cof_profile_allowed(const struct cof_profile *p, uint64_t phase);

/* Is the method on its way to a profile, or to a version built with it? `p` may
 * be NULL: it never was. */
bool cof_profile_is_pending(const struct cof_profile *p);

enum cof_fullness {
	COF_FULLNESS_NOT_YET,
	COF_FULLNESS_FULL,
	COF_FULLNESS_EMPTY,	/* and is not going to be full */
};

/* A COUNTING one that has counted so much by `generation`. */
enum cof_fullness cof_profile_fullness(const struct cof_profile *p,
				       uint64_t counted, uint64_t generation,
				       const struct cof_opts *opts);

void cof_profiles_free(struct cof_profiles *all);

#endif /* COF_OPTIMIZER_INSTRUMENTED_PROFILE_H */
