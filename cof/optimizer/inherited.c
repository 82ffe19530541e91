/*
 * inherited.c - clear the marks of the parent's stages; see inherited.h
 */
#include "optimizer/inherited.h"

#include "base/role.h"
#include "code/version.h"
#include "instance.h"
#include "measure/expected_gain.h"
#include "optimizer/facts/top_plan.h"
#include "patcher/patcher.h"
#include "process/barrier.h"

/* Guest threads may mark it DEAD meanwhile. */
static void clear_word(struct cof *cof, struct cof_version *v)
{
	uint16_t keep = COF_WORD_DEAD;

	if (v->plan >= cof_top_plan(cof))
		keep |= COF_WORD_SETTLED;
	atomic_fetch_and_explicit(&v->word, keep, memory_order_relaxed);
}

/* The child has none of its parent's trials of loops, builds, and frames that
 * were watched. */
static void clear_continuations(struct cof_version *v)
{
	for (struct cof_version *c = v->osr.continuations; c; c = c->osr.next) {
		c->osr.on_trial = c->osr.by_trial = false;
		c->osr.watched = c->osr.held = false;
		clear_continuations(c);
	}
}

static void clear_version(struct cof *cof, struct cof_version *v)
{
	uint32_t state = COF_AUDIT_TRIAL;

	clear_word(cof, v);
	atomic_store_explicit(&v->sampled.total, 0, memory_order_relaxed);
	atomic_store_explicit(&v->sampled.dead, 0, memory_order_relaxed);
	atomic_compare_exchange_strong_explicit(&v->trial.state, &state,
						COF_AUDIT_NONE,
						memory_order_relaxed,
						memory_order_relaxed);
	v->phase = (struct cof_version_phase){ 0 };
	v->osr.watched = v->osr.vacated = v->osr.held = false;
	clear_continuations(v);
}

/* Callers come by the thunk of a trial that was under way. */
static void end_thunk(struct cof *cof, struct cof_method *m)
{
	bool thunked;

	pthread_mutex_lock(&cof->code_lock);
	m->thunk.inside = 0;
	thunked = m->thunk.callers != COF_THUNKED_NO;
	pthread_mutex_unlock(&cof->code_lock);
	if (!thunked)
		return;
	cof_patcher_count(m, false);
	cof_patcher_thunk(m, COF_THUNKED_NO);
}

/* Nobody would look at its counters. */
static void end_counting(struct cof *cof, struct cof_method *m)
{
	struct cof_version *v = cof_method_current(m), *base = m->trial.base;

	if (!v || !v->code.counting || !base || !cof_patcher_switch(base, v))
		return;
	/* The child has not counted it as parked. */
	cof_count_add(&cof->flow->patcher.parked, 1);
	cof_patcher_retire(v);
}

static void clear_method(struct cof *cof, struct cof_method *m)
{
	struct cof_version *v;

	end_counting(cof, m);
	end_thunk(cof, m);
	m->backoff = (struct cof_method_backoff){ 0 };
	m->build.past_ns = 0;
	m->build.ir = NULL;
	m->build.pending = false;
	atomic_store_explicit(&m->build.not_worth, false, memory_order_relaxed);
	cof_method_show(m, COF_METHOD_QUIET);
	m->trial.now = NULL;
	m->trial.waits_for = NULL;
	m->trial.led_out = false;
	m->trial.base = NULL;
	cof_method_tried(m, COF_EXPECTED_GAIN_NONE, 0);
	atomic_store_explicit(&m->trial.loops_state, COF_AUDIT_NONE,
			      memory_order_relaxed);
	m->profile = NULL;
	m->phase_versions = NULL;
	atomic_store_explicit(&m->samples, 0, memory_order_relaxed);
	v = cof_method_current(m);
	if (v)
		clear_version(cof, v);
}

static void clear_instance(struct cof *cof)
{
	cof_ring_init(&cof->touched, cof->touched.word, cof->touched.mask + 1);
	cof_ring_init(&cof->forecasts, cof->forecasts.word,
		      cof->forecasts.mask + 1);
	cof->unknown.n = 0;
	cof->phase_taken = 0;
	cof->forecasts_turn = 0;
	cof->reprofile_budget = (struct cof_reprofile_budget){ 0 };
	cof->unproven = (struct cof_unproven_budget){ 0 };
	cof->counting_since_ns = 0;
	atomic_store_explicit(&cof->phase, 0, memory_order_relaxed);
	atomic_store_explicit(&cof->sam_turns, 0, memory_order_relaxed);
	atomic_store_explicit(&cof->pre_turns, 0, memory_order_relaxed);
	atomic_store_explicit(&cof->first_sample_ns, 0, memory_order_relaxed);
}

void cof_inherited_clear(struct cof *cof)
{
	enum cof_role before = cof_role;

	cof_role = COF_ROLE_PICKER;
	clear_instance(cof);
	for (struct cof_method *m = cof_methods(cof); m; m = m->code.next)
		clear_method(cof, m);
	cof_barrier(cof);
	cof_role = before;
}
