/*
 * osr_record.h - frames that are stuck in a version, and its continuations
 *
 * Thread: P/O. The rules are in optimizer/osr/osr.h.
 */
#pragma once

#include <stdbool.h>

struct cof_version;

struct cof_version_osr {
	struct cof_version *continuations;	/* of its loops, linked by: */
	struct cof_version *next;		/* [code] too */
	bool                watched;	/* frames may be stuck in it */
	bool                vacated;	/* it is current, but its time is spent
					 * in the latest continuation */
	bool                held;	/* a worker builds a continuation, so
					 * its code may not be freed */
	bool                entered;	/* a continuation, and it was sampled */

	/* Trials of loops; optimizer/osr/loop_trial.h. */
	bool                on_trial;	/* a continuation, and the trial's: it
					 * is PARKED until that lets it go */
	bool                orphan;	/* [code] what it was made for is gone
					 * meanwhile */
	bool                by_trial;	/* its frames are where a trial leads
					 * or has led them */
};
