/*
 * trial.c - the members of a trial, how it begins, pauses and ends
 */
#include "optimizer/trial/trial.h"

#include <math.h>

#include "base/log.h"
#include "instance.h"
#include "measure/expected_gain.h"
#include "memory/mem.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/osr/osr.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/trial/trial_entries.h"
#include "optimizer/trial/trial_known.h"
#include "optimizer/trial/trial_turns.h"
#include "options/tuning.h"
#include "patcher/direct_entry.h"
#include "patcher/patcher.h"

/* -- Members --------------------------------------------------------------- */

struct cof_trial *cof_trial_new(uint32_t unit)
{
	struct cof_trial *t = cof_mem_alloc(sizeof(*t));

	if (t) {
		t->unit = unit;
		t->stretch = 1;
	}
	return t;
}

void cof_trial_free(struct cof_trial *t)
{
	cof_mem_free(t->member);
	cof_mem_free(t->set);
	cof_mem_free(t);
}

/* Keeps PRE from forecasting the member, unless a better plan is to be had. */
static void settle(const struct cof_member *m)
{
	if (m->b->plan < cof_top_plan(m->method->cof))
		return;
	cof_word_flags(&m->a->word, COF_WORD_SETTLED, 0);
	cof_word_flags(&m->b->word, COF_WORD_SETTLED, 0);
}

static bool is_settled(struct cof_version *v)
{
	return cof_word_read(&v->word).flags & COF_WORD_SETTLED;
}

/* Before t->n counts the member. */
static void add_prior(struct cof_trial *t, const struct cof_version *b)
{
	struct cof_prior *p = &t->prior;
	double error = b->promise.progress_error / 1000.0;
	double input = COF_TUNE(evidence_equal);
	double v = error * error + input * input;

	if (b->promise.progress_error == 0 ||
	    b->promise.progress_permille == 0) {
		p->none = true;
		return;
	}
	p->log_time = (p->log_time * t->n +
		       log(1000.0 / b->promise.progress_permille)) /
		      (t->n + 1);
	p->variance = fmax(p->variance, v);
	p->told = sqrt(p->variance);
}

bool cof_trial_add(struct cof_trial *t, struct cof_method *method,
		   struct cof_version *a, struct cof_version *b)
{
	struct cof_measure prior;
	struct cof_member *m;

	if (!cof_mem_reserve(&t->member, &t->capacity, t->n + 1, sizeof(*m)))
		return false;
	add_prior(t, b);
	m = &t->member[t->n++];
	*m = (struct cof_member){
		.method = method, .a = a, .b = b,
		.a_samples = cof_count_get(&a->sampled.total),
		.a_settled = is_settled(a), .b_settled = is_settled(b),
	};
	settle(m);
	atomic_store_explicit(&b->trial.state, COF_AUDIT_TRIAL,
			      memory_order_relaxed);
	method->trial.now = t;
	atomic_store_explicit(
		&method->trial.promised_permille,
		(uint32_t)(fmin(fmax(b->promise.speedup, 0), 1e5) * 1000),
		memory_order_relaxed);
	atomic_store_explicit(&method->trial.plan, b->plan,
			      memory_order_relaxed);
	cof_trial_speed_store(&method->trial.before_permille,
			      cof_trial_speed(&a->trial));
	cof_trial_measure(t, &prior);
	cof_trial_known_publish(m, &prior);
	return true;
}

static void include(struct cof_trial *t, struct cof_method *method)
{
	for (uint32_t i = 0; i < t->n_set; i++)
		if (t->set[i] == method)
			return;
	t->set[t->n_set++] = method;
}

static void include_inlined(struct cof_trial *t, const struct cof_version *v)
{
	for (uint32_t i = 0; i < v->links.n_inlined; i++)
		include(t, v->links.inlined[i]);
}

/* False: no memory. */
static bool make_set(struct cof_trial *t)
{
	size_t most = t->n;

	for (uint32_t i = 0; i < t->n; i++)
		most += t->member[i].a->links.n_inlined +
			t->member[i].b->links.n_inlined;
	t->set = cof_mem_alloc(most * sizeof(*t->set));
	if (!t->set)
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		include(t, t->member[i].method);
	for (uint32_t i = 0; i < t->n; i++) {
		include_inlined(t, t->member[i].a);
		include_inlined(t, t->member[i].b);
	}
	return true;
}

/* -- While it lasts -------------------------------------------------------- */

static void set_inside(struct cof_trial *t, bool inside)
{
	for (uint32_t i = 0; i < t->n_set; i++)
		cof_patcher_inside(t->set[i], inside);
}

bool cof_trial_begin(struct cof *cof, struct cof_trial *t, uint64_t random)
{
	if (!cof_patcher_can_switch(cof) || !make_set(t))
		return false;
	cof_trial_entries_choose(t);
	set_inside(t, true);
	/* The turns of A are A's, and no continuation's. */
	for (uint32_t i = 0; i < t->n; i++)
		cof_osr_back(cof, cof->osr, t->member[i].a);
	for (uint32_t i = 0; i < t->n; i++)
		cof_log(cof, "COF: AUDIT: %s is on trial, version %u against "
			"%u", t->member[i].method->name, t->member[i].b->number,
			t->member[i].a->number);
	t->begun = t->b_now = true;
	cof_trial_turns_begin(t, false, random);
	return true;
}

bool cof_trial_stands(struct cof *cof, const struct cof_trial *t)
{
	bool stands = true;

	pthread_mutex_lock(&cof->code_lock);
	for (uint32_t i = 0; stands && i < t->n; i++) {
		const struct cof_member *m = &t->member[i];
		struct cof_version *v = t->b_now || !t->begun ? m->b : m->a;
		struct cof_version *other = v == m->b ? m->a : m->b;

		/* Callers that go past the stub meet neither version. */
		stands = atomic_load_explicit(&m->method->current,
					      memory_order_relaxed) == v &&
			 other->state == COF_VERSION_PARKED &&
			 !cof_method_left_alone(m->method);
	}
	pthread_mutex_unlock(&cof->code_lock);
	return stands;
}

/* Are all A's the host's own? */
static bool a_is_first(const struct cof_trial *t)
{
	bool first = true;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct cof_member *m = &t->member[i];
		pthread_mutex_t *lock = &m->method->cof->code_lock;

		pthread_mutex_lock(lock);
		first &= m->a->number <= m->method->code.host_number;
		pthread_mutex_unlock(lock);
	}
	return first;
}

bool cof_trial_prefers_b(const struct cof_trial *t)
{
	return a_is_first(t) && !t->favours_a;
}

/* The method may be instrumented for the other phase, so PRE may forecast the
 * version that is current. */
void cof_trial_pause(struct cof_trial *t)
{
	cof_evidence_checkpoint_restore(&t->checkpoint, &t->evidence);
	cof_trial_turns_favour(t);
	cof_trial_entries_count(t, false);
	cof_trial_turns_turn(t, cof_trial_prefers_b(t));
	t->paused = true;
	for (uint32_t i = 0; i < t->n; i++)
		cof_word_flags(t->b_now ? &t->member[i].b->word :
					  &t->member[i].a->word,
			       0, COF_WORD_SETTLED);
}

void cof_trial_resume(struct cof_trial *t, uint64_t random)
{
	for (uint32_t i = 0; t->paused && i < t->n; i++)
		settle(&t->member[i]);
	t->paused = t->resting = false;
	cof_trial_turns_begin(t, false, random);
}

void cof_trial_rest(struct cof_trial *t)
{
	struct cof_measure m;

	cof_trial_measure(t, &m);
	cof_trial_entries_count(t, false);
	cof_trial_turns_turn(t, m.log_time <= 0);
	t->resting = true;
}

bool cof_trial_is_blind(const struct cof_trial *t)
{
	const struct cof_evidence *e = &t->evidence;

	return e->a.inside + e->b.inside < COF_TUNE(trial_blind_samples) &&
	       e->pace.n < COF_TUNE(evidence_blocks);
}

/* -- The end --------------------------------------------------------------- */

static void forget(struct cof_member *m)
{
	cof_word_flags(&m->a->word, 0, m->a_settled ? 0 : COF_WORD_SETTLED);
	cof_word_flags(&m->b->word, 0, m->b_settled ? 0 : COF_WORD_SETTLED);
	m->method->trial.now = NULL;
	m->method->trial.waits_for = NULL;
	m->method->trial.led_out = false;
	atomic_store_explicit(&m->method->trial.gain_permille,
			      COF_EXPECTED_GAIN_NONE, memory_order_relaxed);
}

static void stop(struct cof_trial *t)
{
	if (!t->begun)
		return;
	cof_trial_entries_count(t, false);
	set_inside(t, false);
	t->begun = false;
}

static enum cof_version_state state_of(struct cof_version *v)
{
	pthread_mutex_t *lock = &v->method->cof->code_lock;
	enum cof_version_state state;

	pthread_mutex_lock(lock);
	state = v->state;
	pthread_mutex_unlock(lock);
	return state;
}

/*
 * Leaves out a version that was replaced meanwhile and retired: reclaim may
 * have told phase_reuse already. It has yet to do so if the version is replaced
 * right after this.
 */
static void remember(const struct cof_trial *t, const struct cof_member *m,
		     struct cof_version *v)
{
	if (state_of(v) == COF_VERSION_CURRENT)
		cof_phase_reuse_remember(m->method->cof, m->method, t->phase,
					 v);
}

void cof_trial_end(struct cof_trial *t, bool keep_b)
{
	if (!t->begun)
		t->b_now = true;
	cof_trial_turns_turn(t, keep_b);
	for (uint32_t i = 0; i < t->n; i++)
		remember(t, &t->member[i],
			 keep_b ? t->member[i].b : t->member[i].a);
	cof_trial_leave(t, NULL);
}

/* A version that is not parked was retired when it was replaced. */
static void retire(struct cof_version *v)
{
	if (state_of(v) == COF_VERSION_PARKED &&
	    !cof_phase_reuse_keep(v->method->cof, v))
		cof_patcher_retire(v);
}

void cof_trial_set_aside(struct cof_trial *t)
{
	for (uint32_t i = 0; i < t->n && (t->b_now || t->favours_b); i++)
		cof_phase_reuse_remember(t->member[i].method->cof,
					 t->member[i].method, t->phase,
					 t->member[i].b);
	cof_trial_leave(t, NULL);
}

void cof_trial_leave(struct cof_trial *t, const struct cof_version *spared)
{
	stop(t);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];

		forget(m);
		if (m->a != spared)
			retire(m->a);
		if (m->b != spared)
			retire(m->b);
		cof_direct_entry_begin(m->method);
	}
	t->n = 0;
}
