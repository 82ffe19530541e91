/*
 * unproven_budget.c - spent, queued, proven; see unproven_budget.h
 */
#include "measure/unproven_budget.h"

#include <math.h>

double cof_unproven_budget_left(const struct cof_unproven_budget *budget,
				double part, double program_ns)
{
	const struct cof_unproven_past *past = &budget->past;
	double saved_ns = fmax(part * past->used_ns - past->built_ns, 0);
	double lasts_ns = fmax(past->typical_ns - program_ns, 0);

	if (budget->proven)
		return INFINITY;
	return fmax(part * fmax(program_ns, past->typical_ns) +
		    fmin(saved_ns, lasts_ns) -
		    budget->spent_ns - budget->queued_ns, 0);
}

void cof_unproven_budget_queue(struct cof_unproven_budget *budget,
			       double expected_ns)
{
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

void cof_unproven_budget_learn(struct cof_unproven_budget *budget,
			       double speedup)
{
	if (speedup > 1)
		budget->proven = true;
}
