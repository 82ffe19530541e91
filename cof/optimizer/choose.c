/*
 * choose.c - the cost model
 */
#include "choose.h"

#include <stdbool.h>

#define DECAY 0.875	/* of what was learned, per build */

void cof_rates_learn(struct cof_rates *rates, enum cof_plan plan,
		     uint64_t estimated_ns, uint64_t measured_ns)
{
	double *measured = &rates->measured_ns[plan];
	double *estimated = &rates->estimated_ns[plan];

	if (estimated_ns == 0)
		return;
	*measured = *measured * DECAY + (double)measured_ns;
	*estimated = *estimated * DECAY + (double)estimated_ns;
}

double cof_rates_ratio(const struct cof_rates *rates, enum cof_plan plan)
{
	if (!(rates->estimated_ns[plan] > 0))
		return 1;
	return rates->measured_ns[plan] / rates->estimated_ns[plan];
}

enum cof_verdict cof_choose(const struct cof_estimate offer[COF_PLAN_COUNT],
			    enum cof_plan now, double future_ns,
			    uint32_t gain_pct, double cost_weight,
			    const struct cof_rates *rates,
			    struct cof_choice *out)
{
	double best_ns = future_ns;
	bool offered = false, found = false;

	for (int p = now + 1; p < COF_PLAN_COUNT; p++) {
		const struct cof_estimate *e = &offer[p];
		double cost_ns, total_ns;

		if (!(e->speedup > 1))	/* also what is not a number */
			continue;
		offered = true;
		cost_ns = (double)e->cost_ns *
			  cof_rates_ratio(rates, (enum cof_plan)p) *
			  cost_weight;
		total_ns = cost_ns + future_ns / e->speedup;
		if (!(total_ns < best_ns))
			continue;
		found = true;
		best_ns = total_ns;
		*out = (struct cof_choice){
			.plan = (enum cof_plan)p,
			.speedup = e->speedup,
			.estimated_ns = e->cost_ns,
			.gain_ns = future_ns - total_ns,
			.urgency = (future_ns - total_ns) / (cost_ns + 1),
		};
	}
	if (!offered)
		return COF_VERDICT_NO_ESTIMATE;
	if (!found || out->gain_ns < future_ns * gain_pct / 100)
		return COF_VERDICT_NOT_WORTH;
	return COF_VERDICT_BUILD;
}
