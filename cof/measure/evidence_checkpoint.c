/*
 * evidence_checkpoint.c - two copies of the evidence; see evidence_checkpoint.h
 */
#include "measure/evidence_checkpoint.h"

#include "options/tuning.h"

void cof_evidence_checkpoint_note(struct cof_evidence_checkpoint *checkpoint,
				  const struct cof_evidence *evidence,
				  uint64_t windows)
{
	struct cof_evidence_checkpoint *c = checkpoint;

	/* The evidence was dropped, and the trial began anew. */
	if (evidence->odds.n < c->young.odds.n)
		*c = (struct cof_evidence_checkpoint){ .young_at = windows };
	if (windows - c->young_at < COF_TUNE(trial_phase_late))
		return;
	c->safe = c->young;
	c->young = *evidence;
	c->young_at = windows;
}

void cof_evidence_checkpoint_restore(struct cof_evidence_checkpoint *checkpoint,
				  struct cof_evidence *evidence)
{
	checkpoint->young = checkpoint->safe;
	*evidence = checkpoint->safe;
}
