/*
 * unproven.c - the limit by mode, option, clock; see unproven.h
 */
#include "optimizer/build/unproven.h"

#include <math.h>

#include "base/clock.h"
#include "instance.h"
#include "optimizer/build/build.h"
#include "optimizer/build/job.h"

#define NO_LIMIT_PCT 100

double cof_unproven_left_ns(const struct cof *cof)
{
	if (cof->opts.mode != COF_MODE_AUTO || cof->opts.finish ||
	    cof->opts.unproven_pct >= NO_LIMIT_PCT)
		return INFINITY;
	return cof_unproven_budget_left(
		&cof->unproven, cof->opts.unproven_pct / 100.0,
		(double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID));
}

void cof_unproven_queued(struct cof *cof, const struct cof_build *first)
{
	cof_unproven_budget_queue(&cof->unproven, (double)first->expected_ns);
}

void cof_unproven_ended(struct cof *cof, const struct cof_build *first)
{
	if (!first->cached)
		cof_unproven_budget_end(&cof->unproven,
					(double)first->expected_ns,
					(double)cof_job_ns(first));
}
