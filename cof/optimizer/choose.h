/*
 * choose.h - is it worth building a method again, and with which plan?
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
 * times the part of it that the program has to pay (load.h).
 *
 * Pure: no thread, no clock, no host. Owner: P/O.
 */
#ifndef COF_OPTIMIZER_CHOOSE_H
#define COF_OPTIMIZER_CHOOSE_H

#include <stdint.h>

#include "cof.h"

/*
 * What builds cost against their estimates, per plan. Sums that decay, so the
 * ratio follows the host's recent builds and long builds count for more.
 */
struct cof_rates {
	double measured_ns[COF_PLAN_COUNT];
	double estimated_ns[COF_PLAN_COUNT];
};

/* A build with `plan` took measured_ns of CPU. Of an estimate of 0 nothing is
 * learned. */
void   cof_rates_learn(struct cof_rates *rates, enum cof_plan plan,
		       uint64_t estimated_ns, uint64_t measured_ns);

/* Measured over estimated; 1 until something was learned. */
double cof_rates_ratio(const struct cof_rates *rates, enum cof_plan plan);

enum cof_verdict {
	COF_VERDICT_BUILD,
	COF_VERDICT_NO_ESTIMATE,	/* no plan is said to be faster */
	COF_VERDICT_NOT_WORTH,		/* not yet: its past may still grow */
};

struct cof_choice {
	enum cof_plan plan;
	double        speedup;
	uint64_t      estimated_ns;	/* the host's, for cof_rates_learn() */
	double        gain_ns;		/* expected, cost already paid */
	double        urgency;		/* gain per ns of cost; highest first */
};

/*
 * offer[p] is the host's estimate of plan p; one that is not above `now` or
 * promises no speed-up counts as not made. cost_weight is between 0 and 1. *out
 * is filled in for BUILD.
 */
enum cof_verdict cof_choose(const struct cof_estimate offer[COF_PLAN_COUNT],
			    enum cof_plan now, double future_ns,
			    uint32_t gain_pct, double cost_weight,
			    const struct cof_rates *rates,
			    struct cof_choice *out);

#endif /* COF_OPTIMIZER_CHOOSE_H */
