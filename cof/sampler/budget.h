/*
 * budget.h - how often may we sample, given what it costs?
 *
 * Once per window the sampler compares what it spent with what it may spend, a
 * share of the guest's CPU time, and moves the period:
 *
 *	           slower                  keep                 faster
 *	cost  >  limit        >=        60 % of limit      >    cost
 *
 * Slower goes at once to where the cost of samples would be 80 % of the limit,
 * but by no more than four times; faster by a quarter of a period at most, and
 * never faster than asked. Between the two nothing moves, so that noise does
 * not make the period swing.
 *
 * Pure.
 */
#ifndef COF_SAMPLER_BUDGET_H
#define COF_SAMPLER_BUDGET_H

#include <stdint.h>

#define COF_BUDGET_PERIOD_MAX_NS 1000000000u
#define COF_BUDGET_WINDOW_MIN_NS 50000000u	/* of guest time */

/* What happened in a window. */
struct cof_budget {
	uint64_t handler_ns;	/* inside the handler */
	uint64_t delivery_ns;	/* outside it: interrupts and signals */
	uint64_t sam_ns;	/* CPU time of the SAM thread */
	uint64_t guest_ns;	/* CPU time of the attached threads */
	uint32_t limit_permille; /* of guest_ns; 0: no limit */
	uint64_t asked_ns;	/* the period that was asked for */
	uint64_t period_ns;	/* the period now */
};

/* What it all cost, in ns. */
uint64_t cof_budget_cost(const struct cof_budget *b);

/* The period for the next window. */
uint64_t cof_budget_period(const struct cof_budget *b);

#endif /* COF_SAMPLER_BUDGET_H */
