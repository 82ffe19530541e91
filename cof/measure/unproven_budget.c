/*
 * unproven_budget.c - spent, queued, proven; see unproven_budget.h
 */
#include "measure/unproven_budget.h"

#include <math.h>

double cof_unproven_budget_left(const struct cof_unproven_budget *budget,
				double part, double program_ns)
{
	if (budget->proven)
		return INFINITY;
	return fmax(part * fmax(program_ns, budget->typical_ns) -
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

void cof_unproven_budget_learn(struct cof_unproven_budget *budget,
			       double speedup)
{
	if (speedup > 1)
		budget->proven = true;
}
