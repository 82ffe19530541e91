/*
 * unproven.c - the limit by mode, option, clock; see unproven.h
 */
#include "optimizer/build/unproven.h"

#include <math.h>

#include "base/clock.h"
#include "base/units.h"
#include "history/history.h"
#include "instance.h"
#include "optimizer/build/build.h"
#include "optimizer/build/job.h"
#include "options/tuning.h"

#define NO_LIMIT_PCT 100

typedef double left(const struct cof_unproven_budget *budget, double part,
		    double program_ns);

static double left_ns(const struct cof *cof, left *of)
{
	if (cof->opts.mode != COF_MODE_AUTO || cof->opts.finish ||
	    cof->opts.unproven_pct >= NO_LIMIT_PCT)
		return INFINITY;
	return of(&cof->unproven, cof->opts.unproven_pct / 100.0,
		  (double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID));
}

double cof_unproven_left_ns(const struct cof *cof)
{
	double ns = left_ns(cof, cof_unproven_budget_left);

	return cof->unproven.built ? ns :
	       fmax(ns - (double)cof->host.first_build_ns, 0);
}

static double counting_left_ns(const struct cof *cof)
{
	return left_ns(cof, cof_unproven_budget_counting_left);
}

void cof_unproven_known(struct cof *cof, const struct cof_history_known *k)
{
	struct cof_unproven_past past = k->past;

	if (k->again)
		return;
	past.finished = cof->opts.auto_finish && cof->host.is_finished;
	cof_unproven_budget_past(&cof->unproven, &past);
	cof_unproven_budget_known(&cof->unproven,
				  k->measured_permille / 1000.0, k->share);
}

/* Of the time in which methods count: all of it may be theirs. */
static double counting_part(void)
{
	double slow = COF_TUNE(counting_slow_pct) / 100.0;

	return slow / (1 + slow);
}

bool cof_unproven_counts_little(const struct cof *cof)
{
	return !isinf(counting_left_ns(cof));
}

bool cof_unproven_counting(struct cof *cof, bool counts)
{
	uint64_t now_ns = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);

	if (cof->counting_since_ns != 0 && cof_unproven_counts_little(cof))
		cof_unproven_budget_counted(&cof->unproven,
			counting_part() *
			(double)(now_ns - cof->counting_since_ns));
	cof->counting_since_ns = counts ? now_ns : 0;
	return !(counting_left_ns(cof) > 0);
}

bool cof_unproven_may_count(const struct cof *cof)
{
	return counting_left_ns(cof) > 0;
}

double cof_unproven_left_for_ns(const struct cof *cof, bool counts)
{
	return counts && !cof_unproven_may_count(cof) ?
		       0 : cof_unproven_left_ns(cof);
}

bool cof_unproven_counts_later(const struct cof *cof)
{
	double after_ns = fmin(cof->unproven.past.typical_ns /
				       COF_TUNE(counting_after),
			       COF_TUNE(counting_after_ms) *
				       (double)COF_MS_NS);

	return cof_unproven_counts_little(cof) &&
	       (double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID) < after_ns;
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
