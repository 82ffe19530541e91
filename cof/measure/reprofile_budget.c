/*
 * reprofile_budget.c - two sums
 */
#include "measure/reprofile_budget.h"

bool cof_reprofile_budget_affords(const struct cof_reprofile_budget *budget,
				  double cost_ns, double program_ns)
{
	return budget->spent_ns + cost_ns <= COF_REPROFILE_BUDGET_FREE_NS +
	       program_ns * COF_REPROFILE_BUDGET_PART + budget->gained_ns;
}

void cof_reprofile_budget_spend(struct cof_reprofile_budget *budget,
				double cost_ns)
{
	budget->spent_ns += cost_ns;
}

void cof_reprofile_budget_learn(struct cof_reprofile_budget *budget,
				double speedup, double ns)
{
	if (speedup > 1 && ns > 0)
		budget->gained_ns += ns * (1 - 1 / speedup);
}
