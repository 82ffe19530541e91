/*
 * evidence_checkpoint.h - drop the evidence from after an unseen phase change
 *
 *	evidence   .....safe...........young.............now
 *	                 \__ two windows  __/\__ up to two __/
 *	                     at least
 *
 * PRE sees one or two windows late that the program went over to another phase.
 * The evidence from these windows is of that phase, not of the one that the
 * version is for. So when a phase ends, the evidence goes back to what it was
 * at least two windows before.
 *
 * Pure. Owner: P/O.
 */
#pragma once

#include <stdint.h>

#include "measure/evidence.h"

struct cof_evidence_checkpoint {
	struct cof_evidence safe, young;
	uint64_t            young_at;	/* in this window */
};

/* Note the evidence so far. `windows`: PRE's windows so far. */
void cof_evidence_checkpoint_note(struct cof_evidence_checkpoint *checkpoint,
				  const struct cof_evidence *evidence,
				  uint64_t windows);

/* PRE saw the phase end: set *evidence back. */
void cof_evidence_checkpoint_restore(struct cof_evidence_checkpoint *checkpoint,
				  struct cof_evidence *evidence);
