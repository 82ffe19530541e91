/*
 * unproven_budget.c - spent, queued, proven; see unproven_budget.h
 */
#include "measure/unproven_budget.h"

#include <math.h>

#include "options/tuning.h"

/* INFINITY: there is no limit. */
static double may_spend(const struct cof_unproven_budget *budget, double part,
			double program_ns)
{
	const struct cof_unproven_past *past = &budget->past;
	double saved_ns = past->finished ? 0 :
			  fmax(part * past->used_ns - past->built_ns, 0);
	double lasts_ns = fmax(past->typical_ns - program_ns, 0);

	if (budget->proven && !(past->finished && lasts_ns > 0))
		return INFINITY;
	return (part + fmax(budget->known_part, budget->saved_part)) *
		       fmax(program_ns, past->typical_ns) +
	       fmin(saved_ns, lasts_ns);
}

double cof_unproven_budget_left(const struct cof_unproven_budget *budget,
				double part, double program_ns)
{
	return fmax(may_spend(budget, part, program_ns) - budget->spent_ns -
		    budget->queued_ns, 0);
}

double cof_unproven_budget_counting_left(
	const struct cof_unproven_budget *budget, double part,
	double program_ns)
{
	double all_ns = may_spend(budget, part, program_ns);

	if (!(budget->past.typical_ns > 0))
		return INFINITY;
	return fmax(fmin(all_ns / COF_TUNE(counting_share) -
				 budget->counted_ns,
			 all_ns - budget->spent_ns), 0);
}

void cof_unproven_budget_queue(struct cof_unproven_budget *budget,
			       double expected_ns)
{
	budget->built = true;
	budget->queued_ns += expected_ns;
}

void cof_unproven_budget_end(struct cof_unproven_budget *budget,
			     double expected_ns, double took_ns)
{
	budget->queued_ns = fmax(budget->queued_ns - expected_ns, 0);
	budget->spent_ns += took_ns;
}

void cof_unproven_budget_past(struct cof_unproven_budget *budget,
			      const struct cof_unproven_past *past)
{
	budget->past = *past;
	budget->proven |= past->gained;
}

void cof_unproven_budget_counted(struct cof_unproven_budget *budget, double ns)
{
	budget->spent_ns += ns;
	budget->counted_ns += ns;
}

static void learn(struct cof_unproven_budget *budget, double *part,
		  double speedup, double share)
{
	if (!(speedup > 1))
		return;
	budget->proven = true;
	*part = fmin(*part + share * (1 - 1 / speedup), 1);
}

void cof_unproven_budget_learn(struct cof_unproven_budget *budget,
			       double speedup, double share)
{
	learn(budget, &budget->saved_part, speedup, share);
}

void cof_unproven_budget_known(struct cof_unproven_budget *budget,
			       double speedup, double share)
{
	learn(budget, &budget->known_part, speedup, share);
}
