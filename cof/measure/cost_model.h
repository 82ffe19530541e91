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
 * and the cheapest is taken, if it saves enough to be sure. A cost is the
 * product of the host's estimate, the ratio of measured to estimated time of
 * such builds so far, and the part that the program has to pay
 * (optimizer/facts/machine_load.h). A profile costs more than its builds: the
 * program runs slower while it is instrumented, and pays all of that.
 *
 * A profile also comes late: an instrumented version is built, counts, and
 * waits for the methods to be built with it, and then the build is long. If a
 * plan that is built quickly pays for itself until then, it goes first.
 *
 * Pure: no thread, no clock, no host. Owner: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cof.h"

/*
 * What builds took and what was estimated, per plan. The sums decay, so their
 * ratio follows the host's recent builds. Long builds count for more.
 */
struct cof_cost_model_rates {
	double measured_ns[COF_PLAN_COUNT];
	double estimated_ns[COF_PLAN_COUNT];
};

/* A build with `plan` took measured_ns of CPU time. An estimate of 0 is
 * ignored. */
void cof_cost_model_rates_learn(struct cof_cost_model_rates *rates,
				enum cof_plan plan, uint64_t estimated_ns,
				uint64_t measured_ns);

/* Was anything learned? */
bool cof_cost_model_rates_known(const struct cof_cost_model_rates *rates,
				enum cof_plan plan);

/* Measured over estimated; 1 until something was learned. */
double cof_cost_model_rates_ratio(const struct cof_cost_model_rates *rates,
				  enum cof_plan plan);

enum cof_cost_verdict {
	COF_COST_BUILD,
	COF_COST_NO_ESTIMATE,	/* no plan is estimated to be faster */
	COF_COST_NOT_WORTH,	/* not yet: its past may still grow */
};

struct cof_cost_choice {
	enum cof_plan plan;
	double        speedup;
	double        promised;		/* the host's, before what was learned
					 * of its promises corrected it; 0: the
					 * speed-up is from elsewhere */
	uint64_t      estimated_ns;	/* the host's, for ..._rates_learn() */
	uint64_t      expected_ns;	/* estimated_ns times the ratio */
	double        gain_ns;		/* expected, less the cost */
	double        urgency;		/* gain per ns of cost; highest first */
};

/* What P/O knows of a method. */
struct cof_cost_question {
	enum cof_plan now;
	double        future_ns;	/* expected, at its present speed */
	uint32_t      gain_pct;
	double        cost_weight;	/* a build's cost over its CPU time */
	double        counting_ns;	/* what counting would cost the program
					 * before plan PROFILE can be built */
	const struct cof_cost_model_rates *rates;
};

/*
 * offer[p] is the host's estimate of plan p. Plans up to `now` and estimates
 * without a speed-up are ignored. Fills in *out for BUILD.
 */
enum cof_cost_verdict
cof_cost_model_choose(const struct cof_estimate offer[COF_PLAN_COUNT],
		      const struct cof_cost_question *q,
		      struct cof_cost_choice *out);

/*
 * The choice is *best, which will be ready only after the method ran for
 * another delay_ns. True: a plan below it is worth building meanwhile, and *out
 * says which.
 */
bool cof_cost_model_meanwhile(const struct cof_estimate offer[COF_PLAN_COUNT],
			      const struct cof_cost_question *q,
			      const struct cof_cost_choice *best,
			      double delay_ns, struct cof_cost_choice *out);

/*
 * What counting costs, in ns: the method's time until it is full times
 * slow_pct/100. That time is counting_ns at the present speed, but no more than
 * future_ns.
 */
double cof_cost_model_counting(double counting_ns, double future_ns,
			       uint32_t slow_pct);
