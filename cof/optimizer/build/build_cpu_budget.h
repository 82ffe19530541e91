/*
 * build_cpu_budget.h - a token bucket of the CPU time that builds may take
 *
 * Time fills the bucket. The CPU time of a build is known only when it is done,
 * so the bucket may go into debt; then no build starts until the debt is paid.
 * Over time builds get `pct` of one core, and after a quiet period up to BURST
 * more.
 *
 * Pure: the caller brings the clock. Not safe for two threads at a time.
 */
#pragma once

#include <stdint.h>

#include "base/units.h"
#include "options/tuning.h"

/* The bucket holds at most `pct` of this time. */
#define COF_BUILD_CPU_BUDGET_BURST_NS (COF_TUNE(build_cpu_burst_ms) * COF_MS_NS)

struct cof_build_cpu_budget {
	uint32_t pct;		/* of one core */
	int64_t  left_ns;	/* CPU time; negative: a debt */
	uint64_t at_ns;		/* when left_ns was right */
};

/* A full bucket. */
void cof_build_cpu_budget_init(struct cof_build_cpu_budget *budget,
			       uint32_t pct, uint64_t now_ns);

/* 0: a build may start now. Else the ns until one may; UINT64_MAX: never. */
uint64_t cof_build_cpu_budget_wait(struct cof_build_cpu_budget *budget,
				   uint64_t now_ns);

/* A build took `cpu_ns`. */
void cof_build_cpu_budget_spend(struct cof_build_cpu_budget *budget,
				uint64_t cpu_ns);
