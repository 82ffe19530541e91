/*
 * evidence_checkpoint.h - what a trial saw of another phase, before that was noticed
 *
 *	evidence   .....safe...........young.............now
 *	                 \__ two windows  __/\__ up to two __/
 *	                     at least
 *
 * PRE sees that the program went over to another phase a window or two after it
 * did. What was seen of a version in these is of that phase and not of the one
 * that the version is for: when it ends, the evidence goes back to what it was
 * two windows before, or somewhat longer ago.
 *
 * Pure. Owner: P/O.
 */
#ifndef COF_MEASURE_EVIDENCE_CHECKPOINT_H
#define COF_MEASURE_EVIDENCE_CHECKPOINT_H

#include <stdint.h>

#include "measure/evidence.h"

struct cof_evidence_checkpoint {
	struct cof_evidence safe, young;
	uint64_t            young_at;	/* window */
};

/* There is so much evidence by now; `windows`: of PRE's, so far. */
void cof_evidence_checkpoint_note(struct cof_evidence_checkpoint *rewind,
		     const struct cof_evidence *evidence, uint64_t windows);

/* The phase was seen to have ended. */
void cof_evidence_checkpoint_back(struct cof_evidence_checkpoint *rewind, struct cof_evidence *evidence);

#endif /* COF_MEASURE_EVIDENCE_CHECKPOINT_H */
