/*
 * build_cpu_budget.h - how much CPU time builds may take
 *
 * A bucket that fills with time and is emptied by what builds really took,
 * known only afterwards: so it may go into debt, and then nothing starts until
 * the debt is paid. Over time builds get `pct` of one core; after a quiet spell
 * up to BURST more.
 *
 * Pure: the caller brings the clock. Not safe for two threads at a time.
 */
#ifndef COF_OPTIMIZER_BUILD_BUILD_CPU_BUDGET_H
#define COF_OPTIMIZER_BUILD_BUILD_CPU_BUDGET_H

#include <stdint.h>

#include "options/tuning.h"

#include "base/units.h"

/* Of time at `pct`, saved up. */
#define COF_BUILD_CPU_BUDGET_BURST_NS (COF_TUNE(build_cpu_burst_ms) * COF_MS_NS)

struct cof_build_cpu_budget {
	uint32_t pct;		/* of one core */
	int64_t  left_ns;	/* CPU time; negative: debt */
	uint64_t at_ns;		/* when left_ns was right */
};

void cof_build_cpu_budget_init(struct cof_build_cpu_budget *budget, uint32_t pct, uint64_t now_ns);

/* 0: a build may start now. Else the time until one may; UINT64_MAX: never. */
uint64_t cof_build_cpu_budget_wait(struct cof_build_cpu_budget *budget, uint64_t now_ns);

/* A build took this much. */
void cof_build_cpu_budget_spend(struct cof_build_cpu_budget *budget, uint64_t cpu_ns);

#endif /* COF_OPTIMIZER_BUILD_BUILD_CPU_BUDGET_H */
