/*
 * offers.c - the host's offers, weighed by the cost model
 */
#include "optimizer/policy/offers.h"

#include "instance.h"
#include "optimizer/facts/host_estimate.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/policy/picker.h"
#include "optimizer/policy/reprofile.h"
#include "optimizer/trial/audit.h"

/* Has the method a profile, or may it get one? */
static bool may_profile(const struct cof *cof, const struct cof_method *method)
{
	return cof_top_plan_is_profile(cof) &&
	       ((method->profile && method->profile->collected) ||
		cof_profile_allowed(method->profile,
				    cof_program_phase_begun(cof)));
}

/* The plan of the code that the time is spent in. */
static enum cof_plan plan_of(const struct cof_version *v)
{
	const struct cof_version *c = v->osr.continuations;

	return v->osr.vacated && c ? c->plan : v->plan;
}

/*
 * Asks the host about every plan above the current one. If the method has a
 * profile already, no host can say what a second one would gain.
 */
static void offers(struct cof *cof, const struct cof_picker *picker,
		   const struct cof_version *v,
		   struct cof_estimate offer[COF_PLAN_COUNT])
{
	const struct cof_method *method = v->method;
	enum cof_plan now = plan_of(v);

	for (int i = now + 1; i < COF_PLAN_COUNT; i++) {
		enum cof_plan p = (enum cof_plan)i;

		if (cof_audit_banned(method, p) ||
		    (p == COF_PLAN_PROFILE && !may_profile(cof, method)))
			continue;
		offer[p] = cof_host_estimate(cof, method, now, p);
		if (offer[p].speedup > 0)
			offer[p].speedup = cof_audit_expect(cof, p,
							    offer[p].speedup);
	}
	/* No small improvement first to a version that a compiler optimized:
	 * while that is on trial, the method cannot be instrumented. */
	for (int p = now + 1; now >= COF_PLAN_AVERAGE &&
	     p < COF_PLAN_PROFILE && offer[COF_PLAN_PROFILE].speedup > 1; p++)
		offer[p].speedup = 0;
	if (v->plan == COF_PLAN_PROFILE && cof_reprofile_may(cof, method) &&
	    !cof_audit_banned(method, COF_PLAN_PROFILE) &&
	    cof_reprofile_affords(cof, picker, method->profile))
		offer[COF_PLAN_PROFILE] = (struct cof_estimate){
			COF_TUNE(reprofile_speedup),
			method->profile->estimated_ns,
		};
}

/* Is the profile of another phase, and may there be one of this phase? */
static bool is_elsewhere(const struct cof *cof, const struct cof_profile *p)
{
	return cof_program_phase_now(cof) != 0 &&
	       cof_phase_reuse_elsewhere(cof, p->in_phase) &&
	       cof_profile_allowed(p, cof_program_phase_begun(cof));
}

bool cof_offers_counts_first(const struct cof_version *v, enum cof_plan plan)
{
	const struct cof_profile *p = v->method->profile;

	return plan == COF_PLAN_PROFILE &&
	       (!p || !p->collected || v->plan == COF_PLAN_PROFILE ||
		is_elsewhere(v->method->cof, p));
}

/* The cost model took the speed-up over the code that the time is spent in.
 * Replaces it by the speed-up over the version that the build replaces. */
static void over_current(const struct cof *cof, const struct cof_version *v,
			 struct cof_cost_choice *c)
{
	struct cof_estimate e;

	if (plan_of(v) == v->plan)
		return;
	e = cof_host_estimate(cof, v->method, v->plan, c->plan);
	if (e.speedup > 0)
		c->speedup = cof_audit_expect(cof, c->plan, e.speedup);
}

/*
 * own_ns is the method's own time in a generation, by its weight. From it
 * follow the time in which the method counts, and the delay until a version
 * with its profile is there.
 */
static enum cof_cost_verdict decide(struct cof *cof,
				    const struct cof_picker *picker,
				    const struct cof_forecast *f,
				    struct cof_cost_choice *out)
{
	struct cof_estimate offer[COF_PLAN_COUNT] = { { 0 } };
	const struct cof_version *v = f->version;
	double own_ns = (double)f->weight *
			(double)cof_sampled_time_period_ns(cof);
	double generation_ns = (double)cof->opts.generation_ms * 1e6;
	double delay_ns;
	struct cof_cost_question q = {
		.now = plan_of(v) < COF_PLAN_PROFILE ? plan_of(v) :
						       COF_PLAN_SPEED,
		.future_ns = cof_sampled_time_past_ns(cof, v),
		.gain_pct = cof->opts.gain_pct,
		.cost_weight = picker->cost_weight,
		.rates = &picker->rates,
	};
	enum cof_cost_verdict verdict;

	offers(cof, picker, v, offer);
	if (cof_offers_counts_first(v, COF_PLAN_PROFILE))
		q.counting_ns = cof_cost_model_counting(
			own_ns * (COF_TUNE(profile_least) + 1), q.future_ns,
			cof->opts.profile_slow_pct);
	verdict = cof_cost_model_choose(offer, &q, out);
	if (verdict == COF_COST_BUILD)
		over_current(cof, v, out);
	if (verdict != COF_COST_BUILD || !cof_offers_counts_first(v, out->plan))
		return verdict;
	delay_ns = own_ns *
		   (COF_TUNE(profile_least) + 1 + COF_TUNE(profile_gathering) +
		    (double)out->expected_ns / generation_ns);
	if (plan_of(v) == COF_PLAN_NONE) {
		struct cof_cost_choice best = *out;

		cof_cost_model_meanwhile(offer, &q, &best, delay_ns, out);
	}
	return verdict;
}

enum cof_cost_verdict cof_offers_decide(struct cof *cof,
					const struct cof_picker *picker,
					const struct cof_forecast *f,
					struct cof_cost_choice *out)
{
	enum cof_cost_verdict verdict = decide(cof, picker, f, out);

	if (verdict == COF_COST_BUILD)
		out->promised = out->speedup /
				cof_audit_expect(cof, out->plan, 1);
	return verdict;
}
