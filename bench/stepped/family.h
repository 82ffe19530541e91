/*
 * family.h - families of drawn programs, and what is drawn in each
 *
 * A family is a table of ranges (family.c). program.h draws a program from it.
 */
#pragma once

#include <stddef.h>

#include "bench/stepped/machine.h"

struct range {
	double lo, hi;
};

struct family {
	const char  *name;
	double       work_s;	/* of the whole program at tier 0 */

	/* Methods. */
	struct range methods;	/* how many */
	struct range slope;	/* of their shares of time: 0: flat */
	struct range call_us;	/* a call at tier 0 */
	struct range build_ms;	/* the dearest plan */
	struct range code_kb;	/* of a version */
	struct range gain;	/* log of the speed of the best plan */
	double       error;	/* standard deviation of this, log */
	double       hurt;	/* part of the plans that are slower */
	double       declined;	/* part of the methods */
	double       called;	/* part that calls another */

	/* Phases. */
	struct range phases;	/* how many */
	struct range period_s;	/* how long one lasts, of work */
	double       shared;	/* part of the methods that each phase has */
	unsigned     kinds;	/* of data, which profiles are of */
	struct range profiled;	/* of the speed, with another kind's profile */

	/* A loop that frames stay in for long. */
	double       loop;	/* part of the time */
	struct range loop_s;	/* until it is left */
	double       entries;	/* part of the methods that count entries */

	/* Pauses. */
	double       run_ms, sleep_ms;	/* in turns; 0: it never sleeps */

	struct machine_costs costs;
	const char  *options;	/* besides those of all; may be empty */
};

extern const struct family families[];
extern const size_t n_families;

/* NULL: there is none of that name. */
const struct family *family_of(const char *name);
