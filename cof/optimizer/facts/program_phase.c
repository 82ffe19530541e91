/*
 * program_phase.c - read id and count out of PRE's phase word
 */
#include "optimizer/facts/program_phase.h"

#include "instance.h"
#include "predictor/phase.h"

uint32_t cof_program_phase_now(const struct cof *cof)
{
	return cof_phase_id(cof->phase_taken);
}

uint64_t cof_program_phase_begun(const struct cof *cof)
{
	uint32_t begun = cof_phase_begun(atomic_load_explicit(
		&((struct cof *)cof)->phase, memory_order_relaxed));

	return begun ? begun :
		       cof_count_get(&cof->flow->predictor.phase_changes);
}
