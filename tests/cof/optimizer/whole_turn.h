/*
 * whole_turn.h - wait until P/O has seen what the test did
 */
#pragma once

#include "tests/support/balance.h"
#include "instance.h"
#include "optimizer/optimizer.h"

/* Wait for the end of a turn that began after this call. */
static inline void wait_whole_turn(struct cof *cof)
{
	cof_count *turns = &cof->flow->optimizer.turns;
	uint64_t now = cof_count_get(turns);

#ifdef TOY_RUN_STEPPED
	stepped_until((cof_stage_wake(cof->wake.optimizer),
		       cof_count_get(turns) >= now + 2));
#else
	wait_until((cof_stage_wake(cof->wake.optimizer),
		    cof_count_get(turns) >= now + 2),
		   cof->flow);
#endif
}
