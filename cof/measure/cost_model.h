/*
 * cost_model.h - is it worth building a method again, and with which plan?
 *
 * The cost model is that of Jikes RVM (AnalyticModel, CompilerDNA): a method is
 * expected to run for as long again as it ran so far, so the total still to be
 * paid is
 *
 *	do nothing   future
 *	plan p       cost(p) + future / speedup(p)
 *
 * and the cheapest is taken, if it saves enough to be sure. Costs are the
 * host's estimates times what such builds were seen to take against theirs,
 * times the part of it that the program has to pay (optimizer/facts/machine_load.h). A profile costs
 * more than its builds: the program runs slower while it is counted, and pays
 * all of that.
 *
 * A profile also takes its time to come: a counting version is built, counts,
 * waits for others to be built with, and then the build is a long one. If a
 * plan that is quickly built pays for itself until then, it goes first.
 *
 * Pure: no thread, no clock, no host. Owner: P/O.
 */
#ifndef COF_MEASURE_COST_MODEL_H
#define COF_MEASURE_COST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

/*
 * What builds cost against their estimates, per plan. Sums that decay, so the
 * ratio follows the host's recent builds and long builds count for more.
 */
struct cof_cost_model_rates {
	double measured_ns[COF_PLAN_COUNT];
	double estimated_ns[COF_PLAN_COUNT];
};

/* A build with `plan` took measured_ns of CPU. Of an estimate of 0 nothing is
 * learned. */
void   cof_cost_model_rates_learn(struct cof_cost_model_rates *rates, enum cof_plan plan,
		       uint64_t estimated_ns, uint64_t measured_ns);

/* Measured over estimated; 1 until something was learned. */
double cof_cost_model_rates_ratio(const struct cof_cost_model_rates *rates, enum cof_plan plan);

enum cof_cost_verdict {
	COF_COST_BUILD,
	COF_COST_NO_ESTIMATE,	/* no plan is said to be faster */
	COF_COST_NOT_WORTH,		/* not yet: its past may still grow */
};

struct cof_cost_choice {
	enum cof_plan plan;
	double        speedup;
	uint64_t      estimated_ns;	/* the host's, for cof_cost_model_rates_learn() */
	uint64_t      expected_ns;	/* by what was learned */
	double        gain_ns;		/* expected, cost already paid */
	double        urgency;		/* gain per ns of cost; highest first */
};

/* What P/O knows of a method when it asks. */
struct cof_cost_question {
	enum cof_plan now;
	double        future_ns;	/* expected, at its present speed */
	uint32_t      gain_pct;
	double        cost_weight;	/* what its CPU time counts, in CPU time */
	double        counting_ns;	/* what counting would cost the program
					 * before plan PROFILE can be built */
	const struct cof_cost_model_rates *rates;
};

/*
 * offer[p] is the host's estimate of plan p; one that is not above `now` or
 * promises no speed-up counts as not made. *out is filled in for BUILD.
 */
enum cof_cost_verdict cof_cost_model_choose(const struct cof_estimate offer[COF_PLAN_COUNT],
			    const struct cof_cost_question *q,
			    struct cof_cost_choice *out);

/*
 * The choice is *best, which will be there only after the method ran for another
 * delay_ns. Is a plan below it worth having meanwhile? Then true and *out.
 */
bool cof_cost_model_meanwhile(const struct cof_estimate offer[COF_PLAN_COUNT],
			  const struct cof_cost_question *q,
			  const struct cof_cost_choice *best, double delay_ns,
			  struct cof_cost_choice *out);

/*
 * What counting costs: the method's own time until it is full, `counting_ns` at
 * its present speed but no more than its future, times how much slower it is.
 */
double cof_cost_model_counting(double counting_ns, double future_ns,
			   uint32_t slow_pct);

#endif /* COF_MEASURE_COST_MODEL_H */
