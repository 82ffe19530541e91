/*
 * phase_tracker.h - PRE tracks the program's phases and reports them
 *
 *	the generation's most   --> phase.h --> `phase` of struct cof, for P/O
 *	sampled versions                        rows of the stats file, log
 *	                                        counters
 *
 * A row is added when the top ten changes or a phase ends, whichever comes
 * first. Its phase is filled in once it is known.
 *
 * Thread: PRE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/phase.h"

struct cof;
struct cof_generation;

struct cof_phase_tracker {
	struct cof_phase_table table;
	bool     open;		/* the phase of the latest row is not known */
	uint64_t opened;	/* in this generation */
};

/* At the end of a generation: find its phase, report changes, wake P/O. */
void cof_phase_tracker_step(struct cof *cof, struct cof_phase_tracker *tracker,
			    const struct cof_generation *gen);
