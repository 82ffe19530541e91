/*
 * profile.h - a method on its way to a version built with its own profile
 *
 *	picked     instrument()    counts        full enough     collect(),
 *	  |            |             |               |           build
 *	  v            v             v               v             v
 *	STARTING --> COUNTING ------------------> FULL ------> BUILDING -> HAS
 *	  |            |                             ^ others join it
 *	  |            |                               (unit_select.h)
 *	  +------------+--> NO, and the version before is current again
 *
 * While the method counts, the version before is parked (patcher.h). It becomes
 * current again as soon as the method is full: the build may take seconds, and
 * counting code is slow.
 *
 * HAS: the host keeps the profile for any later build. The profile is of one
 * phase of the program. In another phase the method may be instrumented again:
 * once in a phase, each time after twice as many phases, and only if its
 * samples fall elsewhere there (policy/reprofile.h).
 *
 * Pure: no thread, no clock, no host. Owner: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "code/version.h"
#include "measure/profile_drift.h"

struct cof_opts;

enum cof_profile_state {
	COF_PROFILE_NO,
	COF_PROFILE_STARTING,	/* a worker builds the counting version */
	COF_PROFILE_COUNTING,	/* the counting version is current */
	COF_PROFILE_FULL,	/* it was; not collected yet */
	COF_PROFILE_BUILDING,	/* a worker collects, and builds with it */
	COF_PROFILE_HAS,
};

struct cof_profile {
	struct cof_method  *method;
	struct cof_profile *next;	/* of the instance */

	enum cof_profile_state state;
	uint64_t since;			/* generation in which state began */
	bool     collected;		/* the host has one, or an older one */
	uint64_t before;		/* samples in the version before, when
					 * this one began to count */
	bool     cheap;			/* COUNTING: when the run could afford
					 * no more, it had counted little */
	bool     ahead;			/* FULL: collected, for a continuation
					 * (osr/osr.h) */

	/* As picked. */
	uint32_t over;			/* number of the version before */
	uint32_t counting;		/* number of the counting one */
	double   past_ns;		/* of the method, when it was picked */
	double   speedup, promised, urgency;
	uint64_t estimated_ns;
	struct cof_version *counts;	/* the counting version, PARKED until
					 * collect(), as the host frees the
					 * counts with it; NULL: none, or it is
					 * current */
	uint64_t spent_ns;		/* on instrument() and collect() */
	double   heat;			/* when it became full; unit_select.h */
	uint64_t windows;		/* PRE's count at that time */
	const void *known;		/* profile of an earlier run, loaded
					 * instead of collect(); NULL: none */
	size_t   known_bytes;
	uint32_t proven_permille;	/* of the known one; build/build.h */

	uint64_t phase;			/* in which it was last picked */
	uint32_t in_phase;		/* in which it counted; 0: unknown;
					 * phases/phase_reuse.h */
	uint32_t mixed;			/* times its counts were discarded as
					 * of two phases */
	uint64_t earliest_phase;	/* not picked again before it */
	uint32_t times;			/* picked so far */
	struct cof_profile_drift drift;	/* of the version built with it;
					 * policy/reprofile.h */
};

/* All profiles of an instance. */
struct cof_profiles {
	struct cof_profile *first;
	uint32_t            counting, full;	/* in these states */
	uint32_t            in_phase;	/* last phase that instrumented.c saw */
};

/* The profile of the method, made if there is none. NULL: no memory. */
struct cof_profile *cof_profiles_of(struct cof_profiles *all,
				    struct cof_method *method);

/* Change the state, as of `generation`. */
void cof_profile_enter(struct cof_profiles *all, struct cof_profile *p,
		       enum cof_profile_state state, uint64_t generation);

/* The method was picked in `phase`: count it, and set earliest_phase. */
void cof_profile_picked(struct cof_profile *p, uint64_t phase);

/* May the method be instrumented in `phase`? NULL: it never was. */
bool cof_profile_allowed(const struct cof_profile *p, uint64_t phase);

/* Is the method on its way to a profile, or to a version built with one? NULL:
 * it is not. */
bool cof_profile_is_pending(const struct cof_profile *p);

enum cof_fullness {
	COF_FULLNESS_NOT_YET,
	COF_FULLNESS_FULL,
	COF_FULLNESS_EMPTY,	/* counted nothing, and its time is over */
};

/* Fullness of a COUNTING method that has counted `counted` by `generation`. If
 * counting is dear, enough is enough, in however short a time. */
enum cof_fullness cof_profile_fullness(const struct cof_profile *p,
				       uint64_t counted, uint64_t generation,
				       bool dear, const struct cof_opts *opts);

/* Does any method count, and may that cost something? */
bool cof_profiles_cost(const struct cof_profiles *all);

void cof_profiles_free(struct cof_profiles *all);
