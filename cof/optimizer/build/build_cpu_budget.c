/*
 * build_cpu_budget.c - a token bucket that may go into debt
 */
#include "optimizer/build/build_cpu_budget.h"

/* No sum below overflows with steps of at most 11 days and 64 cores. */
#define STEP_MAX_NS 1000000000000000u

static int64_t burst(const struct cof_build_cpu_budget *budget)
{
	return (int64_t)COF_BUILD_CPU_BUDGET_BURST_NS / 100 *
	       (int64_t)budget->pct;
}

void cof_build_cpu_budget_init(struct cof_build_cpu_budget *budget,
			       uint32_t pct, uint64_t now_ns)
{
	*budget = (struct cof_build_cpu_budget){ .pct = pct, .at_ns = now_ns };
	budget->left_ns = burst(budget);
}

static void refill(struct cof_build_cpu_budget *budget, uint64_t now_ns)
{
	uint64_t step_ns = now_ns > budget->at_ns ? now_ns - budget->at_ns : 0;

	if (step_ns > STEP_MAX_NS)
		step_ns = STEP_MAX_NS;
	budget->left_ns += (int64_t)(step_ns * budget->pct / 100);
	if (budget->left_ns > burst(budget))
		budget->left_ns = burst(budget);
	budget->at_ns = now_ns;
}

uint64_t cof_build_cpu_budget_wait(struct cof_build_cpu_budget *budget,
				   uint64_t now_ns)
{
	if (budget->pct == 0)
		return UINT64_MAX;
	refill(budget, now_ns);
	if (budget->left_ns >= 0)
		return 0;
	/* Rounded up: after that time the debt is paid. */
	return ((uint64_t)-budget->left_ns * 100 + budget->pct - 1) /
	       budget->pct;
}

void cof_build_cpu_budget_spend(struct cof_build_cpu_budget *budget,
				uint64_t cpu_ns)
{
	if (cpu_ns > STEP_MAX_NS)
		cpu_ns = STEP_MAX_NS;
	if (budget->left_ns > -(int64_t)STEP_MAX_NS)
		budget->left_ns -= (int64_t)cpu_ns;
}
