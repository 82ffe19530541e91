/*
 * phase_tracker.h - PRE follows the phases of the program, and tells of them
 *
 *	the turn's most sampled versions --> phase.h --> struct cof, phase: for P/O
 *	                                             rows of the stats file, log
 *	                                             counters
 *
 * A row is made when the top ten changes or a phase ends, whichever is seen
 * first, and its phase is filled in once it is known.
 *
 * Thread: PRE.
 */
#ifndef COF_PREDICTOR_PHASE_TRACKER_H
#define COF_PREDICTOR_PHASE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/phase.h"

struct cof;
struct cof_generation;

struct cof_phase_tracker {
	struct cof_phase_table table;
	bool              open;		/* the latest row's phase is not known */
	uint64_t          opened;	/* generation */
};

/* At the end of a turn. */
void cof_phase_tracker_turn(struct cof *cof, struct cof_phase_tracker *follow,
		     const struct cof_generation *turn);

#endif /* COF_PREDICTOR_PHASE_TRACKER_H */
