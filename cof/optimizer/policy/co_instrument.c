/*
 * co_instrument.c - looks at all methods once and takes the best
 */
#include "optimizer/policy/co_instrument.h"

#include <stdlib.h>

#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/host_estimate.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/policy/offers.h"
#include "optimizer/policy/picker.h"
#include "optimizer/trial/audit.h"
#include "options/tuning.h"

/* A method that may be instrumented too. */
struct member {
	struct cof_version     *version;
	struct cof_cost_choice  choice;
};

/* Only P/O frees records of versions, so `v` stays valid. */
static bool is_free(struct cof *cof, struct cof_method *method,
		    const struct cof_version *v)
{
	struct cof_word w = cof_word_read(&v->word);
	uint16_t now = (uint16_t)cof_generation_now(cof);

	return !(w.flags & COF_WORD_DEAD) && !method->build.pending &&
	       !cof_profile_is_pending(method->profile) &&
	       (!cof_method_on_trial(method) || cof_audit_yields(method)) &&
	       (uint16_t)(now - w.generation) <=
		       COF_TUNE(co_instrument_recent) &&
	       cof_count_get(&v->sampled.total) >= cof->opts.hit_weight &&
	       v->plan < COF_PLAN_PROFILE && !v->code.counting &&
	       cof_offers_counts_first(v, COF_PLAN_PROFILE) &&
	       cof_profile_allowed(method->profile,
				   cof_program_phase_begun(cof)) &&
	       !cof_audit_banned(method, COF_PLAN_PROFILE);
}

static bool is_worth(struct cof *cof, const struct cof_picker *picker,
		     const struct cof_version *v, struct cof_cost_choice *out)
{
	struct cof_estimate e = cof_host_estimate(cof, v->method, v->plan,
						  COF_PLAN_PROFILE);
	double past_ns = cof_sampled_time_past_ns(cof, v), took_ns, gain_ns,
	       speedup;

	if (!(e.speedup > 0))
		return false;
	speedup = cof_audit_expect(cof, COF_PLAN_PROFILE, e.speedup);
	if (!(speedup > 1))
		return false;
	took_ns = (double)e.cost_ns *
		  cof_cost_model_rates_ratio(&picker->rates, COF_PLAN_PROFILE);
	gain_ns = past_ns * COF_TUNE(co_instrument_gain) * (1 - 1 / speedup);
	*out = (struct cof_cost_choice){
		.plan = COF_PLAN_PROFILE,
		.speedup = speedup, .promised = e.speedup,
		.estimated_ns = e.cost_ns,
		.expected_ns = (uint64_t)took_ns,
		.gain_ns = gain_ns,
		.urgency = gain_ns / (took_ns + 1),
	};
	return gain_ns > took_ns * picker->cost_weight;
}

/* For qsort(): most gain per cost first. */
static int order(const void *x, const void *y)
{
	const struct member *a = x, *b = y;

	if (a->choice.urgency != b->choice.urgency)
		return a->choice.urgency > b->choice.urgency ? -1 : 1;
	return 0;
}

/* Fills in *all, now the caller's; returns how many. */
static uint32_t gather(struct cof *cof, const struct cof_picker *picker,
		       struct member **all)
{
	uint32_t n = 0, room = 0;

	for (struct cof_method *m = cof_methods(cof); m; m = m->code.next) {
		struct member one = { .version = cof_method_current(m) };

		if (!one.version || !is_free(cof, m, one.version) ||
		    !is_worth(cof, picker, one.version, &one.choice))
			continue;
		if (!cof_mem_reserve(all, &room, n + 1, sizeof(**all)))
			break;
		(*all)[n++] = one;
	}
	return n;
}

struct cof_build *cof_co_instrument_of(struct cof *cof,
				       struct cof_picker *picker)
{
	struct cof_build *first = NULL, **end = &first;
	double left_ns = cof_unproven_left_for_ns(cof, true), cost_ns;
	uint32_t n, took = 1;
	struct member *all = NULL;

	cof_assert_role(COF_ROLE_PICKER);
	if (cof->opts.stress || !cof->host.build_unit ||
	    cof->opts.unit_methods < 2)
		return NULL;
	n = gather(cof, picker, &all);
	if (n > 0)
		qsort(all, n, sizeof(*all), order);
	for (uint32_t i = 0; i < n && took < cof->opts.unit_methods &&
	     picker->picked < cof->opts.limit; i++) {
		cost_ns = cof_picker_counting_ns(picker, &all[i].choice);
		if (cost_ns > left_ns)
			continue;
		left_ns -= cost_ns;
		if (cof_method_on_trial(all[i].version->method))
			all[i].version = cof_audit_yield(
				cof, all[i].version->method);
		cof_count_add(&cof->flow->optimizer.co_instrumented, 1);
		*end = cof_picker_count(cof, picker, all[i].version,
					&all[i].choice);
		if (!*end)
			continue;
		took++;
		end = &(*end)->next;
	}
	cof_mem_free(all);
	return first;
}
