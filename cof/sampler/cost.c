/*
 * cost.c - add up the cost of sampling; see cost.h
 */
#include "sampler/cost.h"

#include <x86intrin.h>

#include "base/clock.h"
#include "base/flow.h"
#include "options/opts.h"
#include "sampler/budget.h"

void cof_cost_init(struct cof_cost *cost)
{
	*cost = (struct cof_cost){ .tsc0 = __rdtsc(), .ns0 = cof_clock_ns() };
}

uint64_t cof_cost_asked_ns(const struct cof_opts *opts)
{
	return 1000000000u / opts->sample_hz;
}

static void calibrate(struct cof_cost *cost)
{
	uint64_t ticks = __rdtsc() - cost->tsc0;
	uint64_t ns = cof_clock_ns() - cost->ns0;

	if (ticks > 0 && (ns > COF_COST_WINDOW_NS / 2 || !cost->ns_per_tick))
		cost->ns_per_tick = (double)ns / (double)ticks;
}

/* A better tick length may make the sum so far shrink. */
static uint64_t since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

uint64_t cof_cost_period(struct cof_cost *cost, struct cof_flow_sampler *flow,
			const struct cof_opts *opts, uint64_t period_ns)
{
	uint64_t handler_ns, sam_ns = cof_clock_thread_ns();
	uint64_t guest_ns = cof_count_get(&flow->guest_ns);
	struct cof_budget b;

	calibrate(cost);
	handler_ns = (uint64_t)((double)cost->handler_tsc * cost->ns_per_tick);
	cof_count_set(&flow->handler_ns, handler_ns);
	cof_count_set(&flow->delivery_ns, cost->delivery_ns);
	cof_count_set(&flow->sam_ns, sam_ns);

	b = (struct cof_budget){
		.handler_ns = since(handler_ns, cost->then_handler_ns),
		.delivery_ns = since(cost->delivery_ns, cost->then_delivery_ns),
		.sam_ns = since(sam_ns, cost->then_sam_ns),
		.guest_ns = since(guest_ns, cost->then_guest_ns),
		.limit_permille = opts->budget_permille,
		.asked_ns = cof_cost_asked_ns(opts),
		.period_ns = period_ns,
	};
	if (b.guest_ns < COF_BUDGET_WINDOW_MIN_NS)
		return period_ns;	/* the window goes on */
	cost->then_handler_ns = handler_ns;
	cost->then_delivery_ns = cost->delivery_ns;
	cost->then_sam_ns = sam_ns;
	cost->then_guest_ns = guest_ns;
	return cof_budget_period(&b);
}
