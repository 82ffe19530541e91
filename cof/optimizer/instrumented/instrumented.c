/*
 * instrumented.c - poll, switch back, discard
 */
#include "optimizer/instrumented/instrumented.h"

#include "base/log.h"
#include "instance.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/sampled_time.h"
#include "options/tuning.h"
#include "patcher/direct_entry.h"
#include "patcher/patcher.h"
#include "process/barrier.h"

static uint64_t windows(struct cof *cof)
{
	return cof_count_get(&cof->flow->phase.windows);
}

void cof_instrumented_enter(struct cof *cof, struct cof_profiles *all,
			struct cof_profile *p, enum cof_profile_state state)
{
	cof_profile_enter(all, p, state, cof_generation_now(cof));
	cof_count_set(&cof->flow->profile.counting, all->counting);
	cof_count_set(&cof->flow->profile.full, all->full);
	cof_method_show(p->method,
			state == COF_PROFILE_COUNTING ? COF_METHOD_COUNTING :
			state == COF_PROFILE_FULL ? COF_METHOD_FULL :
			state == COF_PROFILE_BUILDING ? COF_METHOD_BUILDING :
			COF_METHOD_QUIET);
}

void cof_instrumented_begin(struct cof *cof, struct cof_profiles *all,
			struct cof_profile *p, struct cof_version *older,
			struct cof_version *counting)
{
	p->counting = counting->number;
	p->before = cof_count_get(&older->sampled.total);
	atomic_store_explicit(&p->method->build.counts_others, false,
			      memory_order_relaxed);
	p->in_phase = cof_program_phase_now(cof);
	if (!cof->audit && older->state == COF_VERSION_PARKED)
		p->method->trial.base = older;
	cof_instrumented_enter(cof, all, p, COF_PROFILE_COUNTING);
	cof_unproven_counting(cof, true);
}

void cof_instrumented_end(struct cof *cof, struct cof_profiles *all,
		      struct cof_profile *p, cof_count *as)
{
	cof_count_add(as, 1);
	if (p->counts)
		cof_patcher_retire(p->counts);
	p->counts = NULL;
	p->ahead = false;
	cof_instrumented_enter(cof, all, p,
			   p->collected ? COF_PROFILE_HAS : COF_PROFILE_NO);
	cof_direct_entry_begin(p->method);
}

/* -- Back to the version before -------------------------------------------- */

/*
 * The older version takes over the time in the counting version, divided by the
 * slowdown of counting. It does not take over the weight: PRE owns that, and
 * samples the older version again.
 */
static void give_back(struct cof *cof, struct cof_profile *p,
		      const struct cof_version *counting)
{
	double slow = 1 + cof->opts.profile_slow_pct / 100.0;
	double in_it_ns = cof_sampled_time_past_ns(cof, counting) -
			  p->method->build.past_ns;

	p->method->build.past_ns = p->past_ns + in_it_ns / slow;
}

/* `settled`: the older version is SETTLED from then on. False: the counting
 * version stays current. */
static bool go_back(struct cof *cof, struct cof_profile *p,
		    struct cof_version *counting, bool settled)
{
	struct cof_version *base = p->method->trial.base;

	if (!base || !cof_patcher_switch(base, counting))
		return false;
	give_back(cof, p, counting);
	/* It may be long until it is built, or never be. */
	cof_direct_entry_begin(p->method);
	cof_word_flags(&base->word, settled ? COF_WORD_SETTLED : 0,
		       settled ? 0 : COF_WORD_SETTLED);
	p->method->trial.base = NULL;
	p->counts = counting;
	cof_log(cof, "COF: P/O patches %s from %p to %p", p->method->name,
		(void *)counting->code.entry, (void *)base->code.entry);
	return true;
}

/* The host has installed a version of its own: nothing to switch back. */
static void went_stale(struct cof *cof, struct cof_profiles *all,
		       struct cof_profile *p)
{
	struct cof_version *base = p->method->trial.base;

	p->method->trial.base = NULL;
	if (base && base->state == COF_VERSION_PARKED)
		cof_patcher_retire(base);
	cof_instrumented_end(cof, all, p, &cof->flow->profile.drop_STALE);
}

/* -- Poll ------------------------------------------------------------------ */

static uint64_t counted(const struct cof *cof, const struct cof_profile *p)
{
	/* Assume that a host without this callback has counted something. */
	if (!cof->host.counted)
		return 1;
	return cof->host.counted(cof->host.ctx, p->method->data);
}

static bool is_full(struct cof *cof, struct cof_profiles *all,
		    struct cof_profile *p, struct cof_version *v, uint64_t n)
{
	bool patched = go_back(cof, p, v, !cof->opts.stress);

	cof_log(cof, "COF: the profile of %s is full: %llu counts in %llu "
		"generations", p->method->name, (unsigned long long)n,
		(unsigned long long)(cof_generation_now(cof) - p->since));
	if (!patched)
		p->over = p->counting;
	if (p->in_phase == 0)
		p->in_phase = cof_program_phase_now(cof);
	p->windows = windows(cof);
	/* Without samples the counts tell how hot the method is. */
	p->heat = cof->predictor ? cof_word_read(&v->word).weight : (double)n;
	cof_instrumented_enter(cof, all, p, COF_PROFILE_FULL);
	return patched;
}

static bool is_empty(struct cof *cof, struct cof_profiles *all,
		     struct cof_profile *p, struct cof_version *v)
{
	bool patched = go_back(cof, p, v, false);

	cof_log(cof, "COF: the profile of %s is empty", p->method->name);
	if (!patched)
		cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
	cof_instrumented_end(cof, all, p, &cof->flow->profile.drop_EMPTY);
	return patched;
}

/*
 * A frame that stays in a loop does not count until it is in a continuation,
 * which a short run cannot afford. Then the counts are of others: an
 * interpreter's would be of what it calls itself.
 */
static bool counts_others(struct cof *cof, struct cof_profile *p,
			  const struct cof_version *counting)
{
	const struct cof_version *base = p->method->trial.base;
	uint64_t late = base ? cof_count_get(&base->sampled.total) -
			       p->before : 0;
	bool does = cof_unproven_counts_little(cof) &&
		    late >= COF_TUNE(counting_late) &&
		    late > cof_count_get(&counting->sampled.total);

	atomic_store_explicit(&p->method->build.counts_others, does,
			      memory_order_relaxed);
	return does;
}

static bool look(struct cof *cof, struct cof_profiles *all,
		 struct cof_profile *p, bool dear)
{
	struct cof_version *v = cof_method_current(p->method);
	uint64_t n;

	if (!v || v->number != p->counting) {
		went_stale(cof, all, p);
		return false;
	}
	n = counted(cof, p);
	if (counts_others(cof, p, v)) {
		p->cheap = true;
		return false;
	}
	switch (cof_profile_fullness(p, n, cof_generation_now(cof), dear,
				     &cof->opts)) {
	case COF_FULLNESS_NOT_YET:
		p->cheap = dear;
		return false;
	case COF_FULLNESS_EMPTY:
		if (!p->method->build.pending)
			return is_empty(cof, all, p, v);
		/* A pending build will lead frames into counting code: restart
		 * the time. */
		p->since = cof_generation_now(cof);
		return false;
	case COF_FULLNESS_FULL:
		break;
	}
	return is_full(cof, all, p, v, n);
}

bool cof_instrumented_poll(struct cof *cof, struct cof_profiles *all)
{
	bool dear = cof_unproven_counting(cof, cof_profiles_cost(all));
	bool patched = false;

	cof_assert_role(COF_ROLE_PICKER);
	if (all->counting == 0)
		return false;
	for (struct cof_profile *p = all->first; p; p = p->next)
		if (p->state == COF_PROFILE_COUNTING)
			patched |= look(cof, all, p, dear);
	return patched;
}

/* -- Of two phases --------------------------------------------------------- */

/*
 * For a FULL method: did it become full so recently that PRE may not yet have
 * seen a phase change? A window is one generation, or several on a busy
 * machine.
 */
static bool is_recent(struct cof *cof, const struct cof_profile *p)
{
	uint64_t passed = cof_generation_now(cof) - p->since;
	uint32_t late = COF_TUNE(trial_phase_late);

	return passed <= late ||
	       (passed <= COF_TUNE(profile_late_most) &&
		windows(cof) - p->windows < late);
}

static bool is_mixed(struct cof *cof, const struct cof_profile *p, uint32_t now)
{
	if (p->in_phase == 0 || p->in_phase == now || p->known ||
	    p->mixed >= COF_TUNE(profile_mixed_most))
		return false;
	return p->state == COF_PROFILE_COUNTING ||
	       (p->state == COF_PROFILE_FULL && is_recent(cof, p));
}

/* False in a program of one phase. */
bool cof_instrumented_may_be_mixed(struct cof *cof, const struct cof_profile *p)
{
	return p->in_phase != 0 && !p->known &&
	       p->mixed < COF_TUNE(profile_mixed_most) &&
	       cof_program_phase_begun(cof) > 1 && is_recent(cof, p) &&
	       cof->opts.mode != COF_MODE_PGO;
}

/* The method keeps its chance in this phase. */
static bool throw_away(struct cof *cof, struct cof_profiles *all,
		       struct cof_profile *p)
{
	struct cof_version *v = cof_method_current(p->method);
	bool patched = false;

	if (p->state == COF_PROFILE_COUNTING && v && v->number == p->counting)
		patched = go_back(cof, p, v, false);
	else if (v && v->number == p->over)
		cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
	cof_log(cof, "COF: P/O throws away the profile of %s: it is of two "
		"phases", p->method->name);
	p->mixed++;
	p->times -= p->times > 0;
	p->earliest_phase = cof_program_phase_begun(cof);
	cof_instrumented_end(cof, all, p, &cof->flow->profile.drop_MIXED);
	return patched;
}

bool cof_instrumented_phase(struct cof *cof, struct cof_profiles *all)
{
	uint32_t now = cof_program_phase_now(cof);
	bool patched = false;

	cof_assert_role(COF_ROLE_PICKER);
	if (now == 0 || now == all->in_phase)
		return false;
	all->in_phase = now;
	for (struct cof_profile *p = all->first; p; p = p->next)
		if (is_mixed(cof, p, now))
			patched |= throw_away(cof, all, p);
	return patched;
}

/* -- Stop ------------------------------------------------------------------ */

void cof_instrumented_stop(struct cof *cof, struct cof_profiles *all)
{
	bool patched = false;

	for (struct cof_profile *p = all->first; p; p = p->next) {
		struct cof_version *v = cof_method_current(p->method);

		if (p->state == COF_PROFILE_COUNTING && v &&
		    v->number == p->counting)
			patched |= go_back(cof, p, v, false);
		if (p->state == COF_PROFILE_COUNTING ||
		    p->state == COF_PROFILE_FULL)
			cof_instrumented_end(cof, all, p,
					 &cof->flow->profile.drop_STOPPED);
		if (p->method->trial.base &&
		    p->method->trial.base->state == COF_VERSION_PARKED)
			cof_patcher_retire(p->method->trial.base);
		p->method->trial.base = NULL;
	}
	if (patched)
		cof_barrier(cof);
}
