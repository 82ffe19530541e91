/*
 * picker.c - from a forecast to a build
 */
#include "optimizer/policy/picker.h"

#include "base/log.h"
#include "base/random.h"
#include "history/history.h"
#include "instance.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/policy/offers.h"
#include "optimizer/policy/reprofile.h"
#include "optimizer/trial/audit.h"
#include "options/tuning.h"
#include "process/barrier.h"

void cof_picker_init(struct cof_picker *picker, const struct cof_opts *opts)
{
	*picker = (struct cof_picker){ .random = opts->stress,
				       .load.weight = 1, .cost_weight = 1 };
}

void cof_picker_free(struct cof_picker *picker)
{
	cof_backoffs_free(&picker->backed_off);
	cof_profiles_free(&picker->profiles);
}

static bool code_full(const struct cof_flow_patcher *flow)
{
	uint64_t used = cof_count_get(&flow->code_first) +
			cof_count_get(&flow->code_hot);
	uint64_t all = cof_count_get(&flow->code_reserved);

	return used > all - all / COF_TUNE(code_reserve_part);
}

static enum cof_improved_why why_of(enum cof_backoff reason)
{
	static const enum cof_improved_why why[] = {
		[COF_BACKOFF_NO] = COF_IMPROVED_NOT_PICKED,
		[COF_BACKOFF_NO_ESTIMATE] = COF_IMPROVED_NO_ESTIMATE,
		[COF_BACKOFF_NOT_WORTH] = COF_IMPROVED_NOT_WORTH,
		[COF_BACKOFF_NO_IR] = COF_IMPROVED_NO_IR,
		[COF_BACKOFF_DECLINED] = COF_IMPROVED_DECLINED,
		[COF_BACKOFF_DRY_RUN] = COF_IMPROVED_DRY_RUN,
	};

	return why[reason];
}

void cof_picker_mark(struct cof *cof, struct cof_picker *picker,
		     struct cof_method *method, enum cof_backoff reason)
{
	struct cof_version *v = cof_method_current(method);

	cof_assert_role(COF_ROLE_PICKER);
	if (cof->opts.stress)
		return;
	cof_backoff_mark(method, reason, cof_generation_now(cof),
			 cof->opts.backoff_generations);
	cof_method_show(method, COF_METHOD_BACKED_OFF);
	cof_improved_set(&method->build.improved, why_of(reason));
	/* If the method is not in the list, nobody clears the flag again. */
	if (cof_backoffs_add(&picker->backed_off, method) == 0 && v)
		cof_word_flags(&v->word, COF_WORD_SETTLED, 0);
	cof_count_set(&cof->flow->optimizer.backed_off, picker->backed_off.n);
}

void cof_picker_expire(struct cof *cof, struct cof_picker *picker)
{
	struct cof_method *method;

	cof_assert_role(COF_ROLE_PICKER);
	while ((method = cof_backoffs_expire(&picker->backed_off,
					     cof_generation_now(cof)))) {
		struct cof_version *v = cof_method_current(method);

		if (method->build.pending ||
		    cof_profile_is_pending(method->profile))
			continue;
		cof_method_show(method, COF_METHOD_QUIET);
		if (v && (v->plan < cof_top_plan(cof) ||
			  cof_reprofile_may(cof, method)))
			cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
	}
	cof_count_set(&cof->flow->optimizer.backed_off, picker->backed_off.n);
}

struct cof_version *cof_picker_ended(struct cof_picker *picker,
				     const struct cof_build *build)
{
	struct cof_version *v = cof_method_current(build->method);

	(void)picker;
	build->method->build.pending = false;
	cof_method_show(build->method, COF_METHOD_QUIET);
	if (!v || v->number != build->over)
		return NULL;
	cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
	return v;
}

static struct cof_build *drop(cof_count *reason)
{
	cof_count_add(reason, 1);
	return NULL;
}

struct cof_build *cof_picker_pick(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *v,
				  const struct cof_cost_choice *c)
{
	struct cof_build *b = cof_build_new(v->method, v->number, c);

	if (!b)
		return drop(&cof->flow->optimizer.drop_NO_MEMORY);
	cof_method_show(v->method, COF_METHOD_BUILDING);
	cof_improved_set(&v->method->build.improved, COF_IMPROVED_UNDER_WAY);
	atomic_store_explicit(&v->method->build.not_worth, false,
			      memory_order_relaxed);
	picker->picked++;
	if (!cof->opts.stress)
		cof_word_flags(&v->word, COF_WORD_SETTLED, 0);
	return b;
}

/* Sets the build of `v`'s method that follows once the profile is there. */
static void aim(struct cof_profile *p, const struct cof_version *v,
		const struct cof_cost_choice *c)
{
	p->over = v->number;
	p->past_ns = v->method->build.past_ns;
	p->speedup = c->speedup;
	p->promised = c->promised;
	p->urgency = c->urgency;
	p->estimated_ns = c->estimated_ns;
	p->spent_ns = 0;
}

double cof_picker_counting_ns(const struct cof_picker *picker,
			      const struct cof_cost_choice *c)
{
	if (!cof_cost_model_rates_known(&picker->rates, COF_PLAN_NONE))
		return (double)c->estimated_ns / COF_TUNE(counting_build_part);
	return (double)c->estimated_ns *
	       cof_cost_model_rates_ratio(&picker->rates, COF_PLAN_NONE);
}

struct cof_build *cof_picker_count(struct cof *cof, struct cof_picker *picker,
				   struct cof_version *v,
				   const struct cof_cost_choice *c)
{
	struct cof_profile *p = cof_profiles_of(&picker->profiles, v->method);
	struct cof_build *b;

	if (!p)
		return drop(&cof->flow->optimizer.drop_NO_MEMORY);
	b = cof_picker_pick(cof, picker, v, c);
	if (!b)
		return NULL;
	b->kind = COF_BUILD_INSTRUMENTED;
	b->plan = COF_PLAN_NONE;
	b->speedup = 1;
	b->expected_ns = (uint64_t)cof_picker_counting_ns(picker, c);
	aim(p, v, c);
	p->known = NULL;
	if (p->collected)
		cof_reprofile_budget_spend(&cof->reprofile_budget,
					   (double)c->expected_ns);
	cof_profile_picked(p, cof_program_phase_begun(cof));
	cof_profile_enter(&picker->profiles, p, COF_PROFILE_STARTING,
			  cof_generation_now(cof));
	return b;
}

cof_count *cof_picker_hindrance(struct cof *cof,
				const struct cof_picker *picker)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;

	if (cof->opts.build_pct == 0)
		return &flow->drop_NO_BUDGET;
	if (picker->picked >= cof->opts.limit)
		return &flow->drop_LIMIT;
	if (!cof_barrier_works(cof))
		return &flow->drop_NO_BARRIER;
	if (code_full(&cof->flow->patcher))
		return &flow->drop_CODE_FULL;
	return NULL;
}

struct cof_build *cof_picker_look(struct cof *cof, struct cof_picker *picker,
				  const struct cof_forecast *f)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	struct cof_version *v = f->version;
	struct cof_method *method = v->method;
	struct cof_cost_choice choice = { .speedup = 1 };
	struct cof_forecast of = *f;
	enum cof_cost_verdict verdict;
	cof_count *no;
	bool trying, counts;

	cof_assert_role(COF_ROLE_PICKER);
	cof_count_add(&flow->taken, 1);
	cof_log(cof, "COF: P/O took the forecast of %s: slot %u, weight %u, "
		"climbed %u", method->name, f->slot, f->weight, f->climbed);

	/* A forecast continuation stands for its method's current version. */
	if (v->code.continuation && cof_method_current(method) &&
	    !(cof_word_read(&cof_method_current(method)->word).flags &
	      COF_WORD_SETTLED))
		of.version = v = cof_method_current(method);
	if (cof_method_current(method) != v ||
	    cof_word_read(&v->word).flags & COF_WORD_DEAD)
		return drop(&flow->drop_STALE);
	trying = cof_method_on_trial(method);
	if (method->build.pending || cof_profile_is_pending(method->profile) ||
	    (trying && !cof_audit_yields(method)))
		return drop(&flow->drop_BUSY);
	no = cof_picker_hindrance(cof, picker);
	if (no) {
		cof_improved_set(&method->build.improved,
				 COF_IMPROVED_HINDERED);
		return drop(no);
	}

	if (cof->opts.stress) {
		choice.plan = (enum cof_plan)
			(1 + cof_random_next(&picker->random) %
			 cof_top_plan(cof));
		if (cof_offers_counts_first(v, choice.plan))
			return cof_picker_count(cof, picker, v, &choice);
		return cof_picker_pick(cof, picker, v, &choice);
	}
	if (cof_backoff_active(method, cof_generation_now(cof)))
		return drop(&flow->drop_BACKED_OFF);

	verdict = cof_offers_decide(cof, picker, &of, &choice);
	if (trying && (verdict != COF_COST_BUILD ||
		       choice.plan != COF_PLAN_PROFILE ||
		       (cof_audit_paused(method) &&
			!cof_offers_counts_first(v, choice.plan))))
		return drop(&flow->drop_BUSY);
	switch (verdict) {
	case COF_COST_NO_ESTIMATE:
		cof_picker_mark(cof, picker, method, COF_BACKOFF_NO_ESTIMATE);
		return drop(&flow->drop_NO_ESTIMATE);
	case COF_COST_NOT_WORTH:
		cof_picker_mark(cof, picker, method, COF_BACKOFF_NOT_WORTH);
		return drop(&flow->drop_NOT_WORTH);
	case COF_COST_BUILD:
		break;
	}
	counts = cof_offers_counts_first(v, choice.plan);
	if ((counts ? cof_picker_counting_ns(picker, &choice) :
		      (double)choice.expected_ns) >
	    cof_unproven_left_for_ns(cof, counts)) {
		cof_picker_mark(cof, picker, method, COF_BACKOFF_NOT_WORTH);
		return drop(&flow->drop_UNPROVEN);
	}
	cof_log(cof, "COF: P/O finds that a build of %s pays: plan %d, slot %u",
		method->name, (int)choice.plan,
		f->slot + 10 * (uint32_t)f->list);
	if (trying)
		v = cof_audit_yield(cof, method);
	return counts ? cof_picker_count(cof, picker, v, &choice) :
			cof_picker_pick(cof, picker, v, &choice);
}

/* Did the host itself add it, as the latest of its own? */
static bool is_hosts(struct cof *cof, const struct cof_version *v)
{
	bool is;

	pthread_mutex_lock(&cof->code_lock);
	is = v->number == v->method->code.host_number;
	pthread_mutex_unlock(&cof->code_lock);
	return is;
}

struct cof_build *cof_picker_just_compiled(struct cof *cof,
					   struct cof_picker *picker,
					   struct cof_method *method)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	const struct cof_host *host = &cof->host;
	struct cof_version *v = cof_method_current(method);
	struct cof_estimate e = { 0 };
	cof_count *no;

	cof_assert_role(COF_ROLE_PICKER);
	cof_count_add(&flow->just_compiled, 1);
	cof_log(cof, "COF: P/O took %s, which is just compiled", method->name);
	if (!v || !is_hosts(cof, v))
		return drop(&flow->drop_STALE);
	/* It was compiled anew while a build of the former is under way. */
	if (method->build.pending || cof_profile_is_pending(method->profile))
		return drop(&flow->drop_BUSY);
	no = cof_picker_hindrance(cof, picker);
	if (no)
		return drop(no);
	if (!host->estimate ||
	    host->estimate(host->ctx, method->data, v->plan, COF_PLAN_PROFILE,
			   &e) != 0 || !(e.speedup > 1))
		return drop(&flow->drop_NO_ESTIMATE);
	return cof_picker_count(cof, picker, v, &(struct cof_cost_choice){
		.plan = COF_PLAN_PROFILE, .speedup = e.speedup,
		.promised = e.speedup, .estimated_ns = e.cost_ns,
		.expected_ns = e.cost_ns,
	});
}

/* -- Known from an earlier run --------------------------------------------- */

uint32_t cof_picker_proven(const struct cof_history_known *k,
			   enum cof_plan plan)
{
	return k->plan == plan ? k->proven_permille : 0;
}

struct cof_build *cof_picker_full(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *v,
				  const struct cof_history_known *k,
				  const struct cof_cost_choice *c)
{
	struct cof_profile *p = cof_profiles_of(&picker->profiles, v->method);

	if (!p)
		return drop(&cof->flow->optimizer.drop_NO_MEMORY);
	aim(p, v, c);
	p->heat = k->share;
	p->phase = cof_program_phase_begun(cof);
	p->known = k->profile;
	p->known_bytes = k->profile_bytes;
	p->proven_permille = cof_picker_proven(k, c->plan);
	if (k->share > 0)
		picker->typical_ns = (uint64_t)((double)k->expected_ns /
						k->share);
	picker->picked++;
	cof_word_flags(&v->word, COF_WORD_SETTLED, 0);
	cof_profile_enter(&picker->profiles, p, COF_PROFILE_FULL,
			  cof_generation_now(cof));
	cof_method_show(v->method, COF_METHOD_FULL);
	cof_improved_set(&v->method->build.improved, COF_IMPROVED_UNDER_WAY);
	cof_count_add(&cof->flow->optimizer.profiled, 1);
	cof_count_add(&cof->flow->profile.picked, 1);
	return NULL;
}
