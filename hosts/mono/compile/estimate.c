/*
 * estimate.c - estimate by the samples of the callees
 */
#include "compile/estimate.h"

#include "compile/call_profile.h"
#include "method/method.h"
#include "vm/tuning.h"

/*
 * The share of a callee's time that inlining saves: the call, the frame, and
 * what the compiler cannot do while it does not know the arguments. Small
 * methods were measured to run 1.5 to 1.9 times as fast (docs/lab/dotnet.md).
 */
static double by_inlining(uint64_t samples, uint64_t own)
{
	double part = COFM_TUNE(estimate_callee_gain) * (double)samples /
		      (double)(own + 1);
	double most = COFM_TUNE(estimate_gain_most);

	return 1 / (1 - (part < most ? part : most));
}

/* The method's profile says which callees are inlined in it now. */
static double over_inlined(struct cofm_method *m,
			   const struct cofm_inlining *in)
{
	struct cofm_call_profile old;
	uint64_t samples;

	if (!cofm_call_profile_get(m, &old))
		return 0;
	samples = cofm_inlining_new(m, in, &old.in);
	return samples > in->own * COFM_TUNE(estimate_new_pct) / 100 ?
	       by_inlining(samples, in->own) : 0;
}

static double speedup(struct cofm_method *m, enum cof_plan now,
		      enum cof_plan plan, const struct cofm_inlining *in)
{
	if (plan < COF_PLAN_SPEED)
		return 0;
	if (now >= COF_PLAN_SPEED)
		return over_inlined(m, in);
	if (in->n > 0)
		return by_inlining(in->samples, in->own);
	/* It has callees, which may turn out to be hot: ask again soon. In mode
	 * pgo that shows only if all are counted. */
	return (m->has_calls && !m->host->keeps_frames) || m->host->takes_all ?
		       COFM_TUNE(estimate_perhaps) :
		       0;
}

int cofm_estimate(void *ctx, void *method, enum cof_plan now,
		  enum cof_plan plan, struct cof_estimate *out)
{
	struct cofm_method *m = method;
	struct cofm_inlining in;

	(void)ctx;
	if (cofm_method_is_declined(m))
		return 1;
	cofm_inlining_choose(m, &in);
	out->cost_ns = (uint64_t)m->size * COFM_TUNE(estimate_byte_ns) *
		       (1 + in.n);
	out->speedup = speedup(m, now, plan, &in);
	return out->speedup > 1 ? 0 : 1;
}
