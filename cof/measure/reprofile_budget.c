/*
 * reprofile_budget.c - income and spending; see reprofile_budget.h
 */
#include "measure/reprofile_budget.h"

#include "options/tuning.h"

bool cof_reprofile_budget_affords(const struct cof_reprofile_budget *budget,
				  double cost_ns, double program_ns)
{
	return budget->spent_ns + cost_ns <= COF_TUNE(reprofile_free_ms) * 1e6 +
	       program_ns * COF_TUNE(reprofile_part) + budget->gained_ns;
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
