/*
 * cost_model.c - compare the plans' costs; see cost_model.h
 */
#include "measure/cost_model.h"

#include "options/tuning.h"

void cof_cost_model_rates_learn(struct cof_cost_model_rates *rates,
				enum cof_plan plan, uint64_t estimated_ns,
				uint64_t measured_ns)
{
	double *measured = &rates->measured_ns[plan];
	double *estimated = &rates->estimated_ns[plan];

	if (estimated_ns == 0)
		return;
	*measured = *measured * COF_TUNE(cost_rate_keep) + (double)measured_ns;
	*estimated = *estimated * COF_TUNE(cost_rate_keep) +
		     (double)estimated_ns;
}

bool cof_cost_model_rates_known(const struct cof_cost_model_rates *rates,
				enum cof_plan plan)
{
	return rates->estimated_ns[plan] > 0;
}

double cof_cost_model_rates_ratio(const struct cof_cost_model_rates *rates,
				  enum cof_plan plan)
{
	if (!cof_cost_model_rates_known(rates, plan))
		return 1;
	return rates->measured_ns[plan] / rates->estimated_ns[plan];
}

/* The CPU time that a build is expected to take. */
static double expected_ns(const struct cof_estimate *e, enum cof_plan plan,
			  const struct cof_cost_question *q)
{
	return (double)e->cost_ns * cof_cost_model_rates_ratio(q->rates, plan);
}

static struct cof_cost_choice choice(const struct cof_estimate *e,
				     enum cof_plan plan, double took_ns,
				     double gain_ns, double cost_ns)
{
	return (struct cof_cost_choice){
		.plan = plan,
		.speedup = e->speedup,
		.estimated_ns = e->cost_ns,
		.expected_ns = (uint64_t)took_ns,
		.gain_ns = gain_ns,
		.urgency = gain_ns / (cost_ns + 1),
	};
}

enum cof_cost_verdict
cof_cost_model_choose(const struct cof_estimate offer[COF_PLAN_COUNT],
		      const struct cof_cost_question *q,
		      struct cof_cost_choice *out)
{
	double best_ns = q->future_ns;
	bool offered = false, found = false;

	for (int p = q->now + 1; p < COF_PLAN_COUNT; p++) {
		const struct cof_estimate *e = &offer[p];
		double took_ns, cost_ns, total_ns;

		if (!(e->speedup > 1))	/* also if it is not a number */
			continue;
		offered = true;
		took_ns = expected_ns(e, (enum cof_plan)p, q);
		cost_ns = took_ns * q->cost_weight;
		if (p == COF_PLAN_PROFILE)
			cost_ns += q->counting_ns;
		total_ns = cost_ns + q->future_ns / e->speedup;
		if (!(total_ns < best_ns))
			continue;
		found = true;
		best_ns = total_ns;
		*out = choice(e, (enum cof_plan)p, took_ns,
			      q->future_ns - total_ns, cost_ns);
	}
	if (!offered)
		return COF_COST_NO_ESTIMATE;
	if (!found || out->gain_ns < q->future_ns * q->gain_pct / 100)
		return COF_COST_NOT_WORTH;
	return COF_COST_BUILD;
}

bool cof_cost_model_meanwhile(const struct cof_estimate offer[COF_PLAN_COUNT],
			      const struct cof_cost_question *q,
			      const struct cof_cost_choice *best,
			      double delay_ns, struct cof_cost_choice *out)
{
	double most_ns = delay_ns * q->gain_pct / 100;
	bool found = false;

	for (int p = q->now + 1; p < (int)best->plan; p++) {
		const struct cof_estimate *e = &offer[p];
		double took_ns, cost_ns, gain_ns;

		if (!(e->speedup > 1))
			continue;
		took_ns = expected_ns(e, (enum cof_plan)p, q);
		if (took_ns * COF_TUNE(cost_quick_part) >
		    (double)best->expected_ns)
			continue;
		cost_ns = took_ns * q->cost_weight;
		gain_ns = delay_ns - delay_ns / e->speedup - cost_ns;
		if (!(gain_ns > most_ns))
			continue;
		found = true;
		most_ns = gain_ns;
		*out = choice(e, (enum cof_plan)p, took_ns, gain_ns, cost_ns);
	}
	return found;
}

double cof_cost_model_counting(double counting_ns, double future_ns,
			       uint32_t slow_pct)
{
	if (counting_ns > future_ns)
		counting_ns = future_ns;
	return counting_ns * slow_pct / 100;
}
