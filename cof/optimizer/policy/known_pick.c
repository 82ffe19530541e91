/*
 * known_pick.c - the cached version, or a build as in the earlier run
 */
#include "optimizer/policy/known_pick.h"

#include "base/log.h"
#include "history/history.h"
#include "instance.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/policy/cached_versions.h"
#include "optimizer/policy/picker.h"
#include "optimizer/trial/audit.h"
#include "options/tuning.h"

static struct cof_build *drop(cof_count *reason)
{
	cof_count_add(reason, 1);
	return NULL;
}

/*
 * The plan of the earlier run, as far as it can be had now. If that run ended
 * before the method had its profile, the method gets one now. The cost of
 * counting does not matter: it is paid once, and serves the runs to come.
 */
static enum cof_plan plan_known(const struct cof *cof,
				const struct cof_history_known *k)
{
	if (cof_top_plan_is_profile(cof))
		return COF_PLAN_PROFILE;
	return k->plan == COF_PLAN_PROFILE ? COF_PLAN_SPEED : k->plan;
}

/* Without cached versions a later run knows no more about the method as it
 * begins. With cached versions the build is worth more, the more runs there
 * were. */
static struct cof_build *refuse(const struct cof_history_known *k,
				cof_count *why)
{
	atomic_store_explicit(&k->method->build.not_worth, true,
			      memory_order_relaxed);
	return drop(why);
}

/* Without a run: a build with its profile, or one that counts in the next. */
static bool can_finish(const struct cof *cof, const struct cof_history_known *k,
		       enum cof_plan plan)
{
	if (plan != COF_PLAN_PROFILE)
		return false;
	return k->profile ? cof->host.profile_load != NULL :
			    cof->host.cached_counting != NULL;
}

/* How many runs a build serves. The best guess is that there will be as many as
 * there were. Without a run it takes no time that anybody waits for. */
static double runs_served(const struct cof *cof,
			  const struct cof_history_known *k)
{
	if (!cof->host.cached_version)
		return 1;
	return k->runs * (cof->opts.finish ? COF_TUNE(finish_worth) : 1.0);
}

/* Without a run one that counts is built, and what it is worth to count is seen
 * when it has. */
static double cost_ns(const struct cof *cof, const struct cof_picker *picker,
		      const struct cof_history_known *k,
		      const struct cof_cost_choice *c)
{
	return cof->opts.finish && !k->profile ?
		       cof_picker_counting_ns(picker, c) :
		       (double)c->expected_ns;
}

struct cof_build *cof_known_pick(struct cof *cof, struct cof_picker *picker,
				 const struct cof_history_known *k)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	const struct cof_host *host = &cof->host;
	struct cof_version *v = atomic_load_explicit(&k->method->current,
						     memory_order_acquire);
	enum cof_plan plan = plan_known(cof, k);
	struct cof_cost_choice c = { .plan = plan };
	struct cof_estimate e = { 0 };
	struct cof_build *b;
	bool later = false;
	cof_count *no;

	cof_assert_role(COF_ROLE_PICKER);
	cof_count_add(&flow->known, 1);
	cof_log(cof, "COF: P/O took %s, which was hot in an earlier run",
		k->method->name);
	if (!v || v->number != 0)
		return drop(&flow->drop_STALE);
	if (k->method->build.pending ||
	    cof_profile_is_pending(k->method->profile) ||
	    cof_method_on_trial(k->method))
		return drop(&flow->drop_BUSY);
	no = cof_picker_hindrance(cof, picker);
	if (no)
		return drop(no);
	cof_unproven_known(cof, k);
	b = cof_cached_versions_find(cof, picker, v, k, &later);
	if (b)
		return b;
	if (cof->opts.finish && !can_finish(cof, k, plan))
		return drop(&flow->drop_NO_COUNTS);
	if (plan <= v->plan || !host->estimate)
		return drop(&flow->drop_NO_ESTIMATE);
	if (host->estimate(host->ctx, k->method->data, v->plan, plan, &e) != 0)
		return refuse(k, &flow->drop_NO_ESTIMATE);
	c.speedup = plan == k->plan ? k->speedup :
				      cof_audit_expect(cof, plan, e.speedup);
	c.promised = plan == k->plan ? 0 : e.speedup;
	c.estimated_ns = e.cost_ns;
	c.expected_ns = (uint64_t)(
		(double)e.cost_ns *
		cof_cost_model_rates_ratio(&picker->rates, plan));
	if (plan == COF_PLAN_PROFILE && !k->profile &&
	    cof_cached_versions_counting(cof, picker, v, &c, &later, &b))
		return b;
	if (later && k->again < COF_TUNE(known_later_most)) {
		cof_history_later(cof, k);
		return drop(&flow->drop_LATER);
	}
	c.gain_ns = (double)k->expected_ns * (1 - 1 / c.speedup) *
		    runs_served(cof, k) -
		    cost_ns(cof, picker, k, &c) * picker->cost_weight;
	if (c.gain_ns <= 0)
		return host->cached_version ?
			       drop(&flow->drop_NOT_WORTH) :
			       refuse(k, &flow->drop_NOT_WORTH);
	c.urgency = c.gain_ns / ((double)c.expected_ns + 1);
	if (plan == COF_PLAN_PROFILE && k->profile && host->profile_load)
		return cof_picker_full(cof, picker, v, k, &c);
	if ((plan == COF_PLAN_PROFILE ? cof_picker_counting_ns(picker, &c) :
					(double)c.expected_ns) >
	    cof_unproven_left_for_ns(cof, plan == COF_PLAN_PROFILE))
		return drop(&flow->drop_UNPROVEN);
	if (plan == COF_PLAN_PROFILE)
		return cof_picker_count(cof, picker, v, &c);
	b = cof_picker_pick(cof, picker, v, &c);
	if (b)
		b->proven_permille = cof_picker_proven(k, plan);
	return b;
}
