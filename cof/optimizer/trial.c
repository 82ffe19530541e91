/*
 * trial.c - turns, and what is seen in them; see trial.h
 */
#include "optimizer/trial.h"

#include "instance.h"
#include "mem.h"
#include "optimizer/ask.h"
#include "optimizer/phases.h"
#include "optimizer/thought.h"
#include "patcher/patcher.h"

#define STRETCH_MAX  32u
#define JUDGE_AFTER  40		/* samples of members, whether they follow */
#define WRONG_PCT    10		/* of them, so many may be in the wrong one; */
#define STUCK_PCT    30		/* so many if turns cannot be longer */
#define BLIND_BELOW  30		/* samples inside */

/* -- Members ---------------------------------------------------------------- */

struct cof_trial *cof_trial_new(uint32_t group)
{
	struct cof_trial *t = cof_alloc(sizeof(*t));

	if (t) {
		t->group = group;
		t->stretch = 1;
	}
	return t;
}

void cof_trial_free(struct cof_trial *t)
{
	cof_free_mem(t->member);
	cof_free_mem(t->set);
	cof_free_mem(t);
}

/* Nothing else is to be built for it, but what is better than both. */
static bool take_flag(struct cof_version *v, bool open)
{
	bool was = cof_word_read(&v->word).flags & COF_WORD_SETTLED;

	if (!open)
		cof_word_flags(&v->word, COF_WORD_SETTLED, 0);
	return was;
}

bool cof_trial_add(struct cof_trial *t, struct cof_method *method,
		   struct cof_version *a, struct cof_version *b)
{
	bool open = b->plan < cof_ask_top(method->cof);
	struct cof_member *m;

	if (t->n == t->room) {
		uint32_t room = t->room ? 2 * t->room : 1;

		m = cof_realloc(t->member, room * sizeof(*m));
		if (!m)
			return false;
		t->member = m;
		t->room = room;
	}
	m = &t->member[t->n++];
	*m = (struct cof_member){
		.method = method, .a = a, .b = b,
		.a_samples = cof_count_get(&a->samples),
		.a_settled = take_flag(a, open),
		.b_settled = take_flag(b, open),
	};
	atomic_store_explicit(&b->audited, COF_AUDIT_TRIAL,
			      memory_order_relaxed);
	method->trial = t;
	atomic_store_explicit(&method->trial_permille,
			      cof_thought_permille(b->speedup,
					&(struct cof_measure){ 0 }),
			      memory_order_relaxed);
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
	for (uint32_t i = 0; i < v->n_inlined; i++)
		include(t, v->inlined[i]);
}

/* False: no memory. */
static bool make_set(struct cof_trial *t)
{
	size_t most = t->n;

	for (uint32_t i = 0; i < t->n; i++)
		most += t->member[i].a->n_inlined + t->member[i].b->n_inlined;
	t->set = cof_alloc(most * sizeof(*t->set));
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

/* -- What is counted -------------------------------------------------------- */

/* The members are the first of the set. */
static uint64_t inside_now(const struct cof_trial *t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->n; i++)
		n += cof_count_get(&t->member[i].a->samples) +
		     cof_count_get(&t->member[i].b->samples);
	for (uint32_t i = t->n; i < t->n_set; i++)
		n += cof_count_get(&t->set[i]->samples);
	return n;
}

static uint64_t entries_now(const struct cof_trial *t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->n; i++)
		n += atomic_load_explicit(t->member[i].method->entries,
					  memory_order_relaxed);
	return n;
}

/* Samples in the versions whose turn it is, and in those whose it is not. */
static void by_turn(const struct cof_trial *t, uint64_t *right, uint64_t *wrong)
{
	*right = *wrong = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cof_member *m = &t->member[i];

		*right += cof_count_get(t->b_now ? &m->b->samples :
						   &m->a->samples);
		*wrong += cof_count_get(t->b_now ? &m->a->samples :
						   &m->b->samples);
	}
}

static void begin_slice(struct cof_trial *t)
{
	t->inside_at = inside_now(t);
	t->entries_at = entries_now(t);
	by_turn(t, &t->right_at, &t->wrong_at);
}

/* -- Turns ------------------------------------------------------------------ */

/* Somebody who replaces one of them meanwhile is noticed by _stands(). */
static void turn_to(struct cof_trial *t, bool b)
{
	if (t->b_now == b)
		return;
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];

		cof_patcher_switch(b ? m->b : m->a, b ? m->a : m->b);
	}
	t->b_now = b;
}

static void count(struct cof_trial *t, bool on)
{
	if (t->counting == on)
		return;
	for (uint32_t i = 0; i < t->n; i++)
		cof_patcher_count(t->member[i].method, on);
	t->counting = on;
}

/* Slices of the version whose turn it is, in this block. */
static uint32_t share(const struct cof_trial *t)
{
	bool favoured = t->b_now ? t->favours_b : t->favours_a;

	return favoured ? t->stretch * COF_TRIAL_FAVOUR : t->stretch;
}

static void publish(const struct cof_trial *t, const struct cof_measure *measure)
{
	for (uint32_t i = 0; i < t->n; i++)
		atomic_store_explicit(&t->member[i].method->trial_permille,
				      cof_thought_permille(t->member[i].b->speedup,
							   measure),
				      memory_order_relaxed);
}

static void favour(struct cof_trial *t)
{
	struct cof_measure m;

	cof_evidence_measure(&t->evidence, &m);
	publish(t, &m);
	t->favours_b = m.known && m.log_time < -m.error;
	t->favours_a = m.known && m.log_time > m.error;
}

static void begin_block(struct cof_trial *t, bool may_count, uint64_t random)
{
	t->slice[0] = t->slice[1] = (struct cof_slice){ 0 };
	t->second = false;
	favour(t);
	count(t, may_count);
	turn_to(t, random & 1);
	t->left = share(t);
}

/*
 * Recursion that a version has by a direct call and another by the stub would
 * be counted in the one only. A method that calls itself, or comes with others,
 * is counted by its direct callers alone.
 */
static enum cof_padded padding_of(const struct cof_trial *t)
{
	if (t->n > 1)
		return COF_PADDED_SITES;
	for (uint32_t k = 0; k < 2; k++) {
		const struct cof_version *v = k ? t->member[0].b :
						  t->member[0].a;

		for (uint32_t i = 0; i < v->n_sites; i++)
			if (v->sites[i].callee == t->member[0].method)
				return COF_PADDED_SITES;
	}
	return COF_PADDED_ALL;
}

static void lead_past(struct cof_trial *t, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		cof_patcher_pad(t->member[i].method, COF_PADDED_NO);
	for (uint32_t i = 0; i < t->n_set; i++)
		cof_patcher_inside(t->set[i], false);
}

bool cof_trial_begin(struct cof *cof, struct cof_trial *t, uint64_t random)
{
	enum cof_padded padding = padding_of(t);
	uint32_t padded = 0;

	if (!make_set(t))
		return false;
	for (uint32_t i = 0; i < t->n_set; i++)
		cof_patcher_inside(t->set[i], true);
	while (padded < t->n &&
	       cof_patcher_pad(t->member[padded].method, padding))
		padded++;
	if (padded < t->n) {
		lead_past(t, padded);
		return false;
	}
	for (uint32_t i = 0; i < t->n; i++)
		cof_log(cof, "COF: AUDIT on trial: %s, version %u against %u",
			t->member[i].method->name, t->member[i].b->number,
			t->member[i].a->number);
	t->begun = t->b_now = true;
	begin_block(t, false, random);
	begin_slice(t);
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

		stands = atomic_load_explicit(&m->method->current,
					      memory_order_relaxed) == v &&
			 other->state == COF_VERSION_PARKED;
	}
	pthread_mutex_unlock(&cof->code_lock);
	return stands;
}

/* Threads that do not come out in time need longer turns. */
static void judge_turns(struct cof_trial *t)
{
	if (t->right + t->wrong < JUDGE_AFTER ||
	    t->wrong * 100 <= (t->right + t->wrong) * WRONG_PCT ||
	    t->stretch == STRETCH_MAX)
		return;
	t->stretch *= 2;
	t->right = t->wrong = 0;
	t->evidence = (struct cof_evidence){ 0 };
}

static void end_slice(struct cof_trial *t, const struct cof_tick *tick,
		      uint64_t *counted)
{
	struct cof_slice *s = &t->slice[t->b_now];
	double inside = (double)(inside_now(t) - t->inside_at);
	uint64_t right, wrong;

	*counted = t->counting ? entries_now(t) - t->entries_at : 0;
	by_turn(t, &right, &wrong);
	t->right += (double)(right - t->right_at);
	t->wrong += (double)(wrong - t->wrong_at);
	s->inside += inside;
	if (tick->samples > inside)
		s->outside += tick->samples - inside;
	if (t->counting) {
		s->entries += (double)*counted;
		s->timed += inside;
		s->cpu_ns += (double)tick->cpu_ns;
	}
	t->cpu_ns += tick->cpu_ns;
}

bool cof_trial_tick(struct cof_trial *t, const struct cof_tick *tick,
		    uint64_t *counted)
{
	bool block = false;

	end_slice(t, tick, counted);
	if (--t->left == 0 && !t->second) {
		t->second = true;
		turn_to(t, !t->b_now);
		t->left = share(t);
	} else if (t->left == 0) {
		block = true;
		cof_evidence_add(&t->evidence, &t->slice[0], &t->slice[1]);
		judge_turns(t);
		begin_block(t, tick->may_count, tick->random);
	}
	begin_slice(t);
	return block;
}

/* Are all A's the host's own? */
static bool a_is_first(const struct cof_trial *t)
{
	bool first = true;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct cof_member *m = &t->member[i];
		pthread_mutex_t *lock = &m->method->cof->code_lock;

		pthread_mutex_lock(lock);
		first &= m->a->number <= m->method->host_number;
		pthread_mutex_unlock(lock);
	}
	return first;
}

bool cof_trial_prefers_b(const struct cof_trial *t)
{
	return a_is_first(t) && !t->favours_a;
}

void cof_trial_pause(struct cof_trial *t)
{
	count(t, false);
	turn_to(t, cof_trial_prefers_b(t));
	t->paused = true;
}

void cof_trial_resume(struct cof_trial *t, uint64_t random)
{
	t->paused = false;
	begin_block(t, false, random);
	begin_slice(t);
}

bool cof_trial_is_stuck(const struct cof_trial *t)
{
	return t->stretch == STRETCH_MAX && t->right + t->wrong >= JUDGE_AFTER &&
	       t->wrong * 100 > (t->right + t->wrong) * STUCK_PCT;
}

bool cof_trial_is_blind(const struct cof_trial *t)
{
	const struct cof_evidence *e = &t->evidence;

	return e->a.inside + e->b.inside < BLIND_BELOW &&
	       e->pace.n < COF_EVIDENCE_BLOCKS;
}

/* -- The end ---------------------------------------------------------------- */

static void forget(struct cof_member *m)
{
	cof_word_flags(&m->a->word, 0, m->a_settled ? 0 : COF_WORD_SETTLED);
	cof_word_flags(&m->b->word, 0, m->b_settled ? 0 : COF_WORD_SETTLED);
	m->method->trial = NULL;
	atomic_store_explicit(&m->method->trial_permille, COF_THOUGHT_NONE,
			      memory_order_relaxed);
}

static void unpad(struct cof_trial *t)
{
	if (!t->begun)
		return;
	count(t, false);
	lead_past(t, t->n);
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
 * Not one that was replaced meanwhile and retired: reclaim may have told phases
 * already. One that is replaced right after this it has yet to tell.
 */
static void remember(const struct cof_trial *t, const struct cof_member *m,
		     struct cof_version *v)
{
	if (state_of(v) == COF_VERSION_CURRENT)
		cof_phases_remember(m->method->cof, m->method, t->phase, v);
}

void cof_trial_end(struct cof_trial *t, bool keep_b)
{
	if (!t->begun)
		t->b_now = true;
	turn_to(t, keep_b);
	for (uint32_t i = 0; i < t->n; i++)
		remember(t, &t->member[i],
			 keep_b ? t->member[i].b : t->member[i].a);
	cof_trial_leave(t, NULL);
}

/* Whoever replaced one has retired it. */
static void retire(struct cof_version *v)
{
	if (state_of(v) == COF_VERSION_PARKED &&
	    !cof_phases_keep(v->method->cof, v))
		cof_patcher_retire(v);
}

void cof_trial_leave(struct cof_trial *t, const struct cof_version *spared)
{
	unpad(t);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];

		forget(m);
		if (m->a != spared)
			retire(m->a);
		if (m->b != spared)
			retire(m->b);
	}
	t->n = 0;
}
