/*
 * cost.h - what sampling costs, and the period that follows from it
 *
 * The handler counts time-stamp ticks, since it may not make system calls. The
 * length of a tick is measured against the clock over the whole life of the
 * sampler. It is known after half a window and grows more exact.
 *
 * Thread: SAM.
 */
#pragma once

#include <stdint.h>

#include "base/units.h"
#include "options/tuning.h"

struct cof_flow_sampler;
struct cof_opts;

/* Between two checks of the budget. */
#define COF_COST_WINDOW_NS (COF_TUNE(sampler_window_ms) * COF_MS_NS)

struct cof_cost {
	uint64_t handler_tsc;	/* ticks in all handlers, ever */
	uint64_t delivery_ns;	/* estimated, of all samples, ever */

	/* cost.c's own. */
	uint64_t tsc0, ns0;	/* the same moment, in ticks and ns */
	double   ns_per_tick;	/* 0: not known yet */
	/* At the start of the window. */
	uint64_t then_handler_ns, then_delivery_ns, then_sam_ns, then_guest_ns;
};

void cof_cost_init(struct cof_cost *cost);

/* The period that was asked for, in ns. */
uint64_t cof_cost_asked_ns(const struct cof_opts *opts);

/*
 * Write the costs so far to *flow, whose guest_ns is up to date. Returns the
 * period to sample with from now on, in ns. A window in which the guest hardly
 * ran is joined with the next.
 */
uint64_t cof_cost_period(struct cof_cost *cost, struct cof_flow_sampler *flow,
			const struct cof_opts *opts, uint64_t period_ns);
