/*
 * budget.h - the sampling period that keeps the overhead within a budget
 *
 * Once per window the sampler compares its cost with a limit, which is a share
 * of the guest's CPU time, and moves the period:
 *
 *	           slower                  keep                 faster
 *	cost  >  limit        >=        60 % of limit      >    cost
 *
 * Slower: the period grows at once to where the cost would be 80 % of the
 * limit, but at most four times. Faster: it shrinks by a quarter at most, and
 * not below what was asked for. Between the two it does not change, so that
 * noise does not make it swing. (tuning.def: sampler_budget_*, sampler_*_most.)
 *
 * Pure.
 */
#pragma once

#include <stdint.h>

#include "base/units.h"
#include "options/tuning.h"

#define COF_BUDGET_PERIOD_MAX_NS (COF_TUNE(sampler_period_most_ms) * COF_MS_NS)
/* Of guest time. */
#define COF_BUDGET_WINDOW_MIN_NS (COF_TUNE(sampler_window_least_ms) * COF_MS_NS)

/* The sums of one window. */
struct cof_budget {
	uint64_t handler_ns;	/* in the handler */
	uint64_t delivery_ns;	/* outside it: interrupts and signals */
	uint64_t sam_ns;	/* CPU time of the SAM thread */
	uint64_t guest_ns;	/* CPU time of the attached threads */
	uint32_t limit_permille; /* of guest_ns; 0: no limit */
	uint64_t asked_ns;	/* the period that was asked for */
	uint64_t period_ns;	/* the period now */
};

/* The whole cost, in ns. */
uint64_t cof_budget_cost(const struct cof_budget *b);

/* The period for the next window, in ns. */
uint64_t cof_budget_period(const struct cof_budget *b);
