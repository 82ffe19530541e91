/*
 * build.h - one thing a worker is to make, and what it made
 *
 * A unit of several methods is one build for each, of which the first leads to
 * the others. Owner: P/O, then the queue, then a worker, then P/O again.
 */
#ifndef COF_OPTIMIZER_BUILD_BUILD_H
#define COF_OPTIMIZER_BUILD_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

struct cof_cost_choice;
struct cof_method;
struct cof_version;

enum cof_build_kind {
	COF_BUILD_PLAN,		/* build() with a plan */
	COF_BUILD_INSTRUMENTED,	/* instrument() */
	COF_BUILD_PROFILED,	/* collect(), then with COF_PLAN_PROFILE */
	COF_BUILD_OSR,		/* osr() of `from` */
};

enum cof_build_end {
	COF_BUILD_DONE,		/* desc is filled in, and ours */
	COF_BUILD_NO_IR,
	COF_BUILD_NO_PROFILE,	/* collect() found nothing */
	COF_BUILD_DECLINED,
};

struct cof_build {
	/* Constant once queued. */
	enum cof_build_kind kind;
	struct cof_method *method;
	uint32_t           over;	/* number of the version to replace, not
					 * a pointer: its record may be gone by
					 * the time the build is done */
	enum cof_plan      plan;
	double             speedup;	/* expected over that version */
	double             urgency;
	uint64_t           estimated_ns;	/* by the host, CPU time */
	uint64_t           expected_ns;		/* of this build; of the first
						 * one, of the whole unit */
	struct cof_build  *peer;	/* PROFILED: the next of the unit */
	uint32_t           unit;	/* its number; 0: alone */
	const void        *known;	/* PROFILED: for profile_load(), in the
					 * place of collect(); NULL: none */
	size_t             known_bytes;
	bool               kept;	/* PROFILED: optimizer/policy/cached_versions.h; never queued */
	uint32_t           proven_permille;	/* it is this fast, as an earlier
						 * run measured; 0: none did */
	struct cof_version *from;	/* OSR: held, so its record stays */

	/* The queue's. */
	uint64_t           ticket;

	/* Written by the worker; P/O's once done. */
	enum cof_build_end end;
	struct cof_version_desc desc;
	bool               gathered;		/* the IR, this time */
	bool               collected;		/* the profile */
	bool               grouped;		/* by build_group() */
	uint64_t           gather_ns, build_ns;	/* CPU time */
	uint64_t           collect_ns;
	struct cof_build  *next;		/* of those done */
};


/*
 * A build of `method` as chosen, to replace its version `over`; the method
 * counts as being built from now on. The caller fills in what is of its kind.
 * NULL: no memory. Thread: as for the picker.
 */
struct cof_build *cof_build_new(struct cof_method *method, uint32_t over,
				const struct cof_cost_choice *choice);

#endif /* COF_OPTIMIZER_BUILD_BUILD_H */
