/*
 * reprofile.c - where samples fall, and whether a second profile may be had
 */
#include "optimizer/policy/reprofile.h"

#include "base/clock.h"
#include "instance.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/policy/picker.h"

static bool has_buckets(const struct cof_version *v)
{
	bool any = false;

	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++)
		any |= atomic_load_explicit(
			&((struct cof_version *)v)->sampled.buckets.count[i],
			memory_order_relaxed) != 0;
	return any;
}

/* Do the method's samples fall elsewhere than in the profile's phase? Yes, if
 * no sample has fallen in a bucket yet. */
static bool has_moved(const struct cof_method *method)
{
	struct cof_version *v = cof_method_current(method);

	if (!v || !method->profile || !has_buckets(v))
		return true;
	return method->profile->drift.version == v->number &&
	       cof_profile_drift_moved(&method->profile->drift);
}

bool cof_reprofile_may(const struct cof *cof, const struct cof_method *method)
{
	return method->profile && method->profile->state == COF_PROFILE_HAS &&
	       cof_top_plan_is_profile(cof) &&
	       cof_phase_reuse_changed(cof, method) &&
	       cof_profile_allowed(method->profile,
				   cof_program_phase_begun(cof)) &&
	       has_moved(method);
}

bool cof_reprofile_affords(const struct cof *cof,
			   const struct cof_picker *picker,
			   const struct cof_profile *p)
{
	double cost_ns = (double)p->estimated_ns *
			 cof_cost_model_rates_ratio(&picker->rates,
						    COF_PLAN_PROFILE);

	return cof_reprofile_budget_affords(
		&cof->reprofile_budget, cost_ns,
		(double)cof_clock_read(CLOCK_PROCESS_CPUTIME_ID));
}

static void look(struct cof_profile_drift *d, const struct cof_version *v)
{
	uint16_t count[COF_CODE_BUCKETS];

	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++)
		count[i] = atomic_load_explicit(
			&((struct cof_version *)v)->sampled.buckets.count[i],
			memory_order_relaxed);
	if (d->version == v->number)
		cof_profile_drift_look(d, count);
	else
		cof_profile_drift_begin(d, v->number, count);
}

/* Phase `was` is over; 0: the program was in none, or it is not known. `known`:
 * phases have numbers. */
static void leave(struct cof_profile_drift *d, const struct cof_version *v,
		  uint32_t was, bool known)
{
	bool first = !cof_profile_drift_settled(d);

	cof_profile_drift_leave(
		d, cof_profile_drift_stayed(d) ||
			   (was && v->phase.id ? v->phase.id == was :
						 first && (was || !known)));
}

static void look_at(struct cof *cof, struct cof_picker *picker,
		    struct cof_profile *p, uint32_t was, bool over)
{
	struct cof_version *v = cof_method_current(p->method);

	if (!v || v->plan != COF_PLAN_PROFILE)
		return;
	look(&p->drift, v);
	if (over)
		leave(&p->drift, v, was, cof->phase_reuse != NULL);
	if (!p->method->build.pending && cof_reprofile_may(cof, p->method) &&
	    !cof_backoff_active(p->method, picker->generation))
		cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
}

void cof_reprofile_turn(struct cof *cof, struct cof_picker *picker)
{
	uint64_t generation = cof_generation_now(cof);
	uint64_t phase = cof_program_phase_begun(cof);
	uint32_t now = cof_program_phase_now(cof), was = picker->was_in;
	bool over = cof->phase_reuse ? now != was : phase != picker->phase;

	cof_assert_role(COF_ROLE_PICKER);
	if (!over && phase == picker->phase && generation == picker->generation)
		return;
	picker->phase = phase;
	picker->was_in = now;
	picker->generation = generation;
	for (struct cof_profile *p = picker->profiles.first; p; p = p->next)
		look_at(cof, picker, p, was, over);
}
