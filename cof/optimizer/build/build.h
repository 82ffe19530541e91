/*
 * build.h - one job of a worker, and its result
 *
 * A unit of several methods has one build for each; the first links to the
 * others. Owner: P/O, then the queue, then a worker, then P/O again.
 */
#pragma once

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
	COF_BUILD_DONE,		/* desc is filled in; libcof owns it */
	COF_BUILD_NO_IR,
	COF_BUILD_NO_PROFILE,	/* collect() found nothing */
	COF_BUILD_DECLINED,
	COF_BUILD_NOT_NOW,	/* osr(): P/O may ask again */
};

struct cof_build {
	/* Constant once queued. */
	enum cof_build_kind kind;
	struct cof_method *method;
	uint32_t           over;	/* number of the version to replace; no
					 * pointer, as its record may be freed
					 * before the build is done */
	enum cof_plan      plan;
	double             speedup;	/* expected over that version */
	double             promised;	/* measure/cost_model.h */
	double             urgency;
	uint64_t           estimated_ns;	/* by the host, CPU time */
	uint64_t           expected_ns;		/* CPU time of this build; in
						 * the first: of the unit */
	uint32_t           left_alone;	/* cof->left_alone when it was made */
	struct cof_build  *peer;	/* PROFILED: next of the unit */
	uint32_t           unit;	/* the unit's number; 0: none */
	const void        *known;	/* PROFILED: for profile_load(),
					 * instead of collect(); or NULL */
	size_t             known_bytes;
	bool               cached;	/* PROFILED: a cached version
					 * (policy/cached_versions.h);
					 * never queued */
	uint32_t           proven_permille;	/* speed, as an earlier run
						 * measured; 0: unknown */
	struct cof_version *from;	/* OSR: held, so its record stays
					 * valid */
	bool               collects;	/* OSR: collect() first */
	bool               has_profile;	/* PROFILED: such a build did */

	/* The queue's. */
	uint64_t           ticket;

	/* Written by the worker; P/O's once done. */
	enum cof_build_end end;
	struct cof_version_desc desc;
	bool               tried;		/* OSR: by osr_try(), as P/O
						 * wants; false: the host
						 * cannot */
	bool               gathered;		/* the IR, this time */
	bool               collected;		/* the profile */
	bool               in_unit;		/* by build_unit() */
	uint64_t           gather_ns, build_ns;	/* CPU time */
	uint64_t           collect_ns;
	struct cof_build  *next;		/* in the list of done ones */
};

/*
 * Make a build of `method` as chosen, to replace its version `over`, and mark
 * the method as being built. The caller fills in the fields of its kind. NULL:
 * no memory. Thread: P/O.
 */
struct cof_build *cof_build_new(struct cof_method *method, uint32_t over,
				const struct cof_cost_choice *choice);
