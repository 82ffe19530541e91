/*
 * cached_versions.c - what the host has cached becomes a build
 */
#include "optimizer/policy/cached_versions.h"

#include "base/clock.h"
#include "history/history.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/host_estimate.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/policy/picker.h"
#include "optimizer/policy/reprofile.h"
#include "optimizer/trial/audit.h"
#include "options/tuning.h"

#define PERMILLE_MAX 1000000u	/* a larger value is not from a trial */

/*
 * The proven speed-up over `over`, permille; 0: none. A version that was faster
 * than one of a worse plan need not be faster than `over`. The host measured a
 * second profile over the first, which is not there in this run. What both are
 * worth together the history knows.
 */
static uint32_t proven(const struct cof_version_desc *desc,
		       const struct cof_version *over,
		       const struct cof_history_known *k)
{
	if (desc->proven_permille > PERMILLE_MAX ||
	    desc->proven_over < over->plan)
		return 0;
	if (desc->proven_permille && desc->proven_over == COF_PLAN_PROFILE &&
	    over->number == 0 && k->measured_permille > desc->proven_permille)
		return k->measured_permille;
	return desc->proven_permille;
}

/* Does the history know what to expect, or the host nothing? */
static bool is_known(const struct cof_build *b, const struct cof_estimate *e,
		     const struct cof_history_known *k)
{
	return b->proven_permille || k->plan == COF_PLAN_PROFILE ||
	       !(e->speedup > 0);
}

/* The speed-up as measured, as promised then, or as the host promises now. */
static double speedup(struct cof *cof, const struct cof_build *b,
		      const struct cof_estimate *e,
		      const struct cof_history_known *k)
{
	if (b->proven_permille)
		return b->proven_permille / 1000.0;
	if (is_known(b, e, k))
		return k->speedup;
	return cof_audit_expect(cof, COF_PLAN_PROFILE, e->speedup);
}

static int ask(struct cof *cof, const struct cof_history_known *k,
	       struct cof_version_desc *desc)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	const struct cof_host *host = &cof->host;
	uint64_t t0 = cof_clock_thread_ns();
	int no;

	*desc = (struct cof_version_desc){ .size = sizeof(*desc) };
	no = host->cached_version(host->ctx, k->method->data, k->profile,
				  k->profile_bytes, desc);
	cof_count_add(&flow->cached_ns, cof_clock_thread_ns() - t0);
	cof_count_add(no ? &flow->not_cached : &flow->cached, 1);
	if (!no)
		cof_count_add(&flow->cached_bytes, desc->size_bytes);
	return no;
}

/*
 * A second profile's version that no trial measured has taken the place of one
 * that was measured. Its trial goes on from there, as far as one of the two may
 * be from the other.
 */
static void go_on_from_first(struct cof_version_desc *desc,
			     const struct cof_version *over,
			     const struct cof_history_known *k)
{
	bool goes_on = desc->progress_error && desc->proven_over == over->plan;

	if (desc->proven_permille || goes_on || over->number != 0 ||
	    k->plan != COF_PLAN_PROFILE)
		return;
	desc->proven_over = over->plan;
	desc->progress_permille = k->measured_permille;
	desc->progress_error = (unsigned)(COF_TUNE(trial_tell_error) * 1000);
}

/* From here on the method's profile is as if the version was built just now. */
static void enter(struct cof *cof, struct cof_picker *picker,
		  struct cof_profile *p, const struct cof_build *b,
		  const struct cof_history_known *k)
{
	p->over = b->over;
	p->past_ns = b->method->build.past_ns;
	p->speedup = b->speedup;
	p->promised = b->promised;
	p->estimated_ns = b->estimated_ns;
	p->spent_ns = 0;
	p->heat = k->share;
	p->phase = cof_program_phase_begun(cof);
	p->known = NULL;
	cof_profile_enter(&picker->profiles, p, COF_PROFILE_BUILDING,
			  cof_generation_now(cof));
}

struct cof_build *
cof_cached_versions_find(struct cof *cof, struct cof_picker *picker,
			 struct cof_version *over,
			 const struct cof_history_known *k, bool *later)
{
	struct cof_estimate e;
	struct cof_profile *p;
	struct cof_build *b;
	int no = 1;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof->host.cached_version || !k->profile ||
	    !cof_top_plan_is_profile(cof) || over->plan >= COF_PLAN_PROFILE)
		return NULL;
	b = cof_mem_alloc(sizeof(*b));
	p = b ? cof_profiles_of(&picker->profiles, k->method) : NULL;
	if (p)
		no = ask(cof, k, &b->desc);
	if (no) {
		*later |= no == -COF_E_STATE;
		cof_mem_free(b);
		return NULL;
	}
	b->desc.plan = COF_PLAN_PROFILE;
	b->kind = COF_BUILD_PROFILED;
	b->end = COF_BUILD_DONE;
	b->cached = b->collected = true;
	b->method = k->method;
	b->over = over->number;
	b->plan = COF_PLAN_PROFILE;
	b->proven_permille = proven(&b->desc, over, k);
	go_on_from_first(&b->desc, over, k);
	e = cof_host_estimate(cof, k->method, over->plan, COF_PLAN_PROFILE);
	b->estimated_ns = e.cost_ns;
	b->speedup = speedup(cof, b, &e, k);
	b->promised = is_known(b, &e, k) ? 0 : e.speedup;
	if (b->desc.proven_over == COF_PLAN_PROFILE)
		cof_reprofile_budget_learn(&cof->reprofile_budget,
					   b->desc.proven_permille / 1000.0,
					   (double)k->expected_ns);
	enter(cof, picker, p, b, k);
	k->method->build.pending = true;
	k->method->build.tried++;
	picker->picked++;
	cof_word_flags(&over->word, COF_WORD_SETTLED, 0);
	cof_count_add(&cof->flow->optimizer.profiled, 1);
	cof_count_add(&cof->flow->profile.picked, 1);
	return b;
}

bool cof_cached_versions_counting(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *over,
				  const struct cof_cost_choice *choice,
				  bool *later, struct cof_build **out)
{
	const struct cof_host *host = &cof->host;
	struct cof_flow_profile *flow = &cof->flow->profile;
	struct cof_version_desc desc = { .size = sizeof(desc) };
	struct cof_build *b;
	int no;

	cof_assert_role(COF_ROLE_PICKER);
	if (!host->cached_counting || !cof_unproven_may_count(cof))
		return false;
	*later |= cof_unproven_counts_later(cof);
	if (*later)
		return false;
	no = host->cached_counting(host->ctx, over->method->data, &desc);
	*later |= no == -COF_E_STATE;
	if (no)
		return false;
	*out = b = cof_picker_count(cof, picker, over, choice);
	if (!b) {
		if (host->discard)
			host->discard(host->ctx, desc.data);
		if (desc.block.exec)
			cof_code_free(cof, &desc.block);
		return true;
	}
	b->desc = desc;
	b->desc.plan = COF_PLAN_NONE;
	b->end = COF_BUILD_DONE;
	b->cached = true;
	b->estimated_ns = b->expected_ns = 0;
	cof_count_add(&cof->flow->optimizer.profiled, 1);
	cof_count_add(&flow->picked, 1);
	cof_count_add(&flow->cached_counting, 1);
	return true;
}

void cof_cached_versions_renew(struct cof *cof, struct cof_picker *picker,
			       const struct cof_history_known *k,
			       unsigned drift_permille)
{
	struct cof_version *v = cof_method_current(k->method);
	struct cof_profile *p = k->method->profile;
	struct cof_cost_choice c = {
		.plan = COF_PLAN_PROFILE,
		.speedup = COF_TUNE(reprofile_speedup),
	};

	/* A version that was never measured has its own trial first. */
	if (drift_permille < COF_TUNE(cached_drift_permille) || !v ||
	    !v->promise.cached || cof_method_on_trial(k->method) ||
	    !cof->host.profile_load || p->estimated_ns == 0 ||
	    !cof_reprofile_affords(cof, picker, p))
		return;
	c.estimated_ns = p->estimated_ns;
	c.expected_ns = (uint64_t)(
		(double)c.estimated_ns *
		cof_cost_model_rates_ratio(&picker->rates, c.plan));
	c.gain_ns = (double)k->expected_ns * (1 - 1 / c.speedup) * k->runs -
		    (double)c.expected_ns * picker->cost_weight;
	if (c.gain_ns <= 0)
		return;
	c.urgency = c.gain_ns / ((double)c.expected_ns + 1);
	cof_reprofile_budget_spend(&cof->reprofile_budget,
				   (double)c.expected_ns);
	cof_count_add(&cof->flow->optimizer.renewed, 1);
	cof_count_add(&cof->flow->profile.reprofiled, 1);
	cof_picker_full(cof, picker, v, k, &c);
}
