/*
 * method.h - a drawn method: what it is, what libcof is told, what is so
 *
 * Times are of a call. Speeds are over tier 0. What the method works on is of a
 * kind, and the kind decides where in its code the time goes. A version that
 * was built with a profile is as fast as it can be for the kinds that were
 * counted, and slower for others.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

#define KINDS     4u
#define STRETCHES 4u		/* of code, in which samples fall */

struct method {
	/* Drawn. */
	char     name[16];
	double   call_ns;			/* at tier 0 */
	double   speed[COF_PLAN_COUNT];
	double   promised[COF_PLAN_COUNT];	/* speeds; 0: not offered */
	double   build_ns[COF_PLAN_COUNT];	/* CPU time of a build */
	double   told;		/* of this time, part that the host tells */
	double   profiled;	/* part of its speed, with another profile */
	double   united;	/* times faster, in a unit with its callee */
	double   counting;	/* times slower, while it counts */
	uint32_t batch;		/* calls in a row */
	uint32_t code_bytes;	/* of a version */
	uint32_t counts;	/* of a call, while it counts */
	uint32_t goes[KINDS];	/* the stretch most of the time is in */
	bool     follows;	/* its data are of another kind in each phase */
	bool     declined;	/* the host builds nothing of it */
	bool     counts_entries;	/* its versions do */
	struct method *callee;	/* called once a call; NULL: none */

	/* Of a run. */
	struct cof_method *method;
	uint64_t counted[KINDS];	/* since the latest instrument() */
	double   profile[KINDS];	/* shares, of the latest collect() */
};

/* A version of it. Its code returns this. */
struct version {
	struct method *method;
	enum cof_plan  plan;
	double         profile[KINDS];
	bool           counting, united, inlines;
	uint64_t       entries;
	const char    *start;
	struct version *led;	/* frames in its loops go on there; NULL: not */
	uint32_t       loops;	/* from so many of its loops */
	struct version *from;	/* a continuation: of which; NULL: of none */
	struct cof_method   *inlined[1];
	struct cof_call_site call[1];
};

/* How fast the version is on work of this kind. */
double version_speed(const struct version *version, unsigned kind);
