/*
 * estimate.c - tables by plan; see estimate.h
 */
#include "program/estimate.h"

#include "base/units.h"
#include "cofl.h"
#include "support/tuning.h"

/* CPU time an LLVM instruction of the body. libcof corrects it by
 * measurements. */
static uint64_t instruction_ns(enum cof_plan plan)
{
	const uint32_t ns[COF_PLAN_COUNT] = {
		[COF_PLAN_NONE]    = COFL_TUNE(plan_none_ns),
		[COF_PLAN_STATIC]  = COFL_TUNE(plan_static_ns),
		[COF_PLAN_AVERAGE] = COFL_TUNE(plan_average_ns),
		[COF_PLAN_SPEED]   = COFL_TUNE(plan_speed_ns),
		[COF_PLAN_PROFILE] = COFL_TUNE(plan_profile_ns),
	};

	return ns[plan];
}

/* Times the speed of code that is not optimized. */
static double speed(enum cof_plan plan)
{
	const double times[COF_PLAN_COUNT] = {
		[COF_PLAN_NONE]    = 1,
		[COF_PLAN_STATIC]  = COFL_TUNE(plan_static_speed),
		[COF_PLAN_AVERAGE] = COFL_TUNE(plan_average_speed),
		[COF_PLAN_SPEED]   = COFL_TUNE(plan_speed_speed),
		[COF_PLAN_PROFILE] = COFL_TUNE(plan_profile_speed),
	};

	return times[plan];
}

int cofl_estimate(void *ctx, void *method, enum cof_plan now,
		  enum cof_plan plan, struct cof_estimate *out)
{
	struct cofl_method *m = method;
	uint32_t n = atomic_load_explicit(&m->n_instructions,
					  memory_order_relaxed);

	if (n == 0)
		n = m->native_bytes / COFL_TUNE(plan_native_bytes);
	(void)ctx;
	if (m->pinned || plan <= now ||
	    atomic_load_explicit(&m->keeps_blockaddresses,
				 memory_order_relaxed))
		return 1;
	out->speedup = speed(plan) / speed(now);
	out->cost_ns = COFL_TUNE(plan_fixed_us) * COF_US_NS +
		       n * instruction_ns(plan);
	return 0;
}
