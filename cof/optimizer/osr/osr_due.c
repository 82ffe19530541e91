/*
 * osr_due.c - see osr_due.h
 */
#include "optimizer/osr/osr_due.h"

#include "instance.h"
#include "optimizer/facts/rollback.h"
#include "optimizer/instrumented/instrumented.h"
#include "optimizer/osr/osr_patience.h"
#include "options/tuning.h"

/* Is the current version better than the one that the frames are in? */
static bool is_better(const struct cof_version *now,
		      const struct cof_version *v)
{
	if (now->code.counting)
		return !v->code.counting && v->plan < COF_PLAN_PROFILE;
	return now->plan > v->plan ||
	       (now->plan == v->plan && now->number > v->number &&
		!v->code.continuation);
}

/* The plan to ask for. The current version's may be put off by now, since a
 * trial of other loops has found it slower; then frames in counting code leave
 * that, and others stay where they are. */
static bool find_plan(const struct cof_version *now,
		      const struct cof_version *v, enum cof_plan *plan)
{
	*plan = now->code.counting ? COF_PLAN_NONE : now->plan;
	if (now->code.counting || !cof_rollback_bans(v->method, *plan))
		return true;
	*plan = COF_PLAN_AVERAGE;
	return v->code.counting;
}

/* May P/O ask once more with this plan? */
static bool may_try(struct cof_stuck_frame *s, enum cof_plan plan)
{
	if (plan != s->plan || s->tries == 0) {
		s->plan = plan;
		s->tries = 0;
		s->declined = false;
	}
	return !s->declined && s->tries < COF_TUNE(osr_tries);
}

/*
 * Did frames that stay in counting code fill the method's profile? Then they
 * leave for a continuation first, and the version is built after it. Not if
 * others may join the method in a unit: their profiles are to be collected
 * before, as their bodies may be inlined. That such code was asked for shows
 * that frames stay, so few samples tell that they are the ones that count.
 */
static bool counts_ahead(struct cof *cof, const struct cof_stuck_frame *s)
{
	const struct cof_version *v = s->version;
	const struct cof_profile *p = v->method->profile;
	const struct cof_flow_profile *flow = &cof->flow->profile;
	uint64_t part = COF_TUNE(osr_few_part), in = cof_stuck_frame_samples(v);

	return v->code.counting && v->code.continuation && p && p->counts &&
	       p->state == COF_PROFILE_FULL && !p->ahead && !p->known &&
	       cof_count_get(&flow->counting) == 0 &&
	       cof_count_get(&flow->full) == 1 &&
	       !cof_instrumented_may_be_mixed(cof, p) && in >= part &&
	       cof_stuck_frame_samples(p->counts) * part <= in;
}

/* Has it been long enough since no frame came? */
static bool is_time_again(const struct cof *cof,
			  const struct cof_stuck_frame *s)
{
	return s->not_now == 0 || cof_osr_patience_ends(&(struct cof_osr_wait){
		.generations = s->busy,
		.need = cof->opts.osr_generations,
		.again = true,
		.not_now = s->not_now,
	});
}

/* Samples in the current version, since the frame was first seen against it. */
static uint64_t entered(const struct cof_stuck_frame *s,
			const struct cof_version *now)
{
	return cof_stuck_frame_samples(now) - s->against_at;
}

bool cof_osr_is_only_reached(const struct cof_stuck_frame *s)
{
	const struct cof_version *now =
		cof_stuck_frame_current(s->version->method);

	return s->ahead || (now && now->number == s->against &&
			    entered(s, now) * COF_TUNE(osr_few_part) <=
				    s->samples - s->since);
}

bool cof_osr_is_due(struct cof *cof, struct cof_stuck_frame *s)
{
	struct cof_version *v = s->version;
	struct cof_version *now = cof_stuck_frame_current(v->method);
	enum cof_plan plan;

	if (!now || v->method->build.pending || v->osr.held || v->osr.on_trial)
		return false;
	/* A trial chose it. It may be left to count again. */
	if (v->osr.by_trial && !now->code.counting)
		return false;
	if (now == v)
		return s->stuck && may_try(s, COF_PLAN_AVERAGE) &&
		       is_time_again(cof, s);
	s->ahead = counts_ahead(cof, s);
	if (s->ahead)
		return may_try(s, COF_PLAN_PROFILE) && is_time_again(cof, s);
	if (now->number != s->against ||	/* it has just come */
	    s->samples - s->since < cof->opts.hit_weight ||
	    !is_better(now, v) || !find_plan(now, v, &plan) ||
	    !may_try(s, plan))
		return false;
	return cof_osr_patience_ends(&(struct cof_osr_wait){
		.generations = s->busy,
		.need = cof->opts.osr_generations,
		.late = s->samples - s->since,
		.entered = entered(s, now),
		.again = s->tries > 0 || s->not_now > 0,
		.not_now = s->not_now,
		.on_trial = v->method->trial.now && !v->code.continuation,
		.waited_for = v->method->trial.waits_for == v,
	});
}
