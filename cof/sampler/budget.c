/*
 * budget.c - the sampling period that keeps to a budget; see budget.h
 */
#include "sampler/budget.h"

#include "options/tuning.h"

uint64_t cof_budget_cost(const struct cof_budget *b)
{
	return b->handler_ns + b->delivery_ns + b->sam_ns;
}

/*
 * Model: samples cost in proportion to their number, and so does SAM, whose
 * rounds follow the period (sampler.c). The factor that brings cost to the
 * aim is then their ratio.
 */
uint64_t cof_budget_period(const struct cof_budget *b)
{
	double cost = (double)cof_budget_cost(b);
	double limit = (double)b->guest_ns * b->limit_permille / 1000.0;
	double factor = 1.0, period;

	if (b->limit_permille == 0)
		return b->asked_ns;
	/* Too little seen to judge by: a sample or two decide everything. */
	if (b->guest_ns < COF_BUDGET_WINDOW_MIN_NS)
		return b->period_ns;

	if (cost > limit || cost < COF_TUNE(sampler_budget_spare) * limit)
		factor = cost / (COF_TUNE(sampler_budget_aim) * limit);
	if (factor > COF_TUNE(sampler_slower_most))
		factor = COF_TUNE(sampler_slower_most);
	if (factor < COF_TUNE(sampler_faster_most))
		factor = COF_TUNE(sampler_faster_most);
	period = (double)b->period_ns * factor;
	if (period < (double)b->asked_ns)
		return b->asked_ns;
	if (period > (double)COF_BUDGET_PERIOD_MAX_NS &&
	    b->asked_ns < COF_BUDGET_PERIOD_MAX_NS)
		return COF_BUDGET_PERIOD_MAX_NS;
	return (uint64_t)period;
}
