/*
 * evidence_checkpoint.c - two copies of the evidence; see evidence_checkpoint.h
 */
#include "measure/evidence_checkpoint.h"

#include "options/tuning.h"

void cof_evidence_checkpoint_note(struct cof_evidence_checkpoint *r, const struct cof_evidence *evidence,
		     uint64_t windows)
{
	/* It was forgotten meanwhile, and begins anew. */
	if (evidence->odds.n < r->young.odds.n)
		*r = (struct cof_evidence_checkpoint){ .young_at = windows };
	if (windows - r->young_at < COF_TUNE(trial_phase_late))
		return;
	r->safe = r->young;
	r->young = *evidence;
	r->young_at = windows;
}

void cof_evidence_checkpoint_back(struct cof_evidence_checkpoint *r, struct cof_evidence *evidence)
{
	r->young = r->safe;
	*evidence = r->safe;
}
