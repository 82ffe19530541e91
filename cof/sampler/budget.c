/*
 * budget.c - the sampling period that fits a budget; see budget.h
 */
#include "sampler/budget.h"

#include "options/tuning.h"

uint64_t cof_budget_cost(const struct cof_budget *b)
{
	return b->handler_ns + b->delivery_ns + b->sam_ns;
}

/*
 * The model: samples cost in proportion to their number. So does SAM, whose
 * rounds follow the period and visit threads that had samples (sampler.c). The
 * factor that brings the cost to the aim is then cost / aim.
 */
uint64_t cof_budget_period(const struct cof_budget *b)
{
	double cost = (double)cof_budget_cost(b);
	double limit = (double)b->guest_ns * b->limit_permille / 1000.0;
	double factor = 1.0, period;

	if (b->limit_permille == 0)
		return b->asked_ns;
	/* Too little was seen: one or two samples would decide. */
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
