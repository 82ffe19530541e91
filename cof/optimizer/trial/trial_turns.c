/*
 * trial_turns.c - whose turn it is, and what a slice adds to the evidence
 */
#include "optimizer/trial/trial_turns.h"

#include <math.h>

#include "instance.h"
#include "measure/expected_gain.h"
#include "optimizer/osr/osr.h"
#include "optimizer/trial/trial_entries.h"
#include "optimizer/trial/trial_known.h"
#include "options/tuning.h"
#include "patcher/patcher.h"

/* -- What is counted --------------------------------------------------- */

/* The members stand first in the set. */
static uint64_t inside_now(const struct cof_trial *t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->n; i++)
		n += cof_count_get(&t->member[i].a->sampled.total) +
		     cof_count_get(&t->member[i].b->sampled.total);
	for (uint32_t i = t->n; i < t->n_set; i++)
		n += cof_count_get(&t->set[i]->samples);
	return n;
}

/* Samples in the version whose turn it is, and in the other. */
static void by_turn(const struct cof_trial *t, const struct cof_member *m,
		    uint64_t *right, uint64_t *wrong)
{
	*right = cof_count_get(t->b_now ? &m->b->sampled.total :
					  &m->a->sampled.total);
	*wrong = cof_count_get(t->b_now ? &m->a->sampled.total :
					  &m->b->sampled.total);
}

/* Samples in other versions of the method. SAM adds one to the version and to
 * the method in an order of its own, so it may look like one less. */
static int64_t elsewhere_now(const struct cof_member *m)
{
	return (int64_t)(cof_count_get(&m->method->samples) -
			 cof_count_get(&m->a->sampled.total) -
			 cof_count_get(&m->b->sampled.total));
}

static void add_by_turn(struct cof_trial *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];
		uint64_t right, wrong;

		by_turn(t, m, &right, &wrong);
		m->right += (double)(right - m->right_at);
		m->wrong += (double)(wrong - m->wrong_at);
		m->elsewhere += (double)(elsewhere_now(m) - m->elsewhere_at);
		t->right += (double)(right - m->right_at);
		t->wrong += (double)(wrong - m->wrong_at);
		t->elsewhere += (double)(elsewhere_now(m) - m->elsewhere_at);
	}
}

static void begin_slice(struct cof_trial *t)
{
	t->inside_at = inside_now(t);
	cof_trial_entries_begin(t);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];

		by_turn(t, m, &m->right_at, &m->wrong_at);
		m->elsewhere_at = elsewhere_now(m);
	}
}

/* -- Turns ------------------------------------------------------------- */

/* cof_trial_stands() notices if a member's version is replaced meanwhile. */
void cof_trial_turns_turn(struct cof_trial *t, bool b)
{
	if (t->b_now == b)
		return;
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];

		cof_patcher_switch(b ? m->b : m->a, b ? m->a : m->b);
		/* The turns of A are A's, and no continuation's. */
		if (!b)
			cof_osr_back(m->method->cof, m->method->cof->osr, m->a);
	}
	t->b_now = b;
}

static void publish(const struct cof_trial *t,
		    const struct cof_measure *measure)
{
	for (uint32_t i = 0; i < t->n; i++)
		cof_trial_known_publish(&t->member[i], measure);
}

/* Was every B cached in an earlier run? A B that looked slower is not
 * cached. */
static bool is_cached(const struct cof_trial *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (!t->member[i].b->promise.cached)
			return false;
	return t->n > 0;
}

void cof_trial_turns_favour(struct cof_trial *t)
{
	bool cached = is_cached(t);
	struct cof_measure m;

	cof_trial_measure(t, &m);
	publish(t, &m);
	t->favours_a = m.known && m.log_time > m.error;
	t->favours_b = !m.known ? cached :
				  m.log_time < (cached ? m.error : -m.error);
	t->loss = -cof_expected_gain_permille(&m) / 1000.0;
}

static void begin_turn(struct cof_trial *t, uint32_t turn)
{
	t->turn = turn;
	t->left = t->stretch;
	cof_trial_turns_turn(t, (turn == t->lone) == t->lone_b);
}

static void begin_block(struct cof_trial *t, bool may_count, uint64_t random)
{
	t->slice[0] = t->slice[1] = (struct cof_slice){ 0 };
	cof_trial_turns_favour(t);
	t->turns = 1 +
		   (t->favours_a || t->favours_b ? COF_TUNE(trial_favour) : 1);
	t->lone = (uint32_t)(random % t->turns);
	t->lone_b = t->favours_a;
	cof_trial_entries_count(t, may_count);
	begin_turn(t, 0);
}

void cof_trial_turns_begin(struct cof_trial *t, bool may_count, uint64_t random)
{
	begin_block(t, may_count, random);
	begin_slice(t);
}

static bool is_wrong(double right, double wrong, uint32_t percent)
{
	return wrong * 100 > (right + wrong) * percent;
}

/* Forgets what was seen so far. */
static void begin_anew(struct cof_trial *t, uint32_t stretch)
{
	t->stretch = stretch;
	t->right = t->wrong = t->elsewhere = 0;
	for (uint32_t i = 0; i < t->n; i++)
		t->member[i].right = t->member[i].wrong =
			t->member[i].elsewhere = 0;
	t->evidence = (struct cof_evidence){ 0 };
}

/* Were frames led out of an A that the trial had waited for? */
static bool were_led_out(struct cof_trial *t)
{
	bool any = false;

	for (uint32_t i = 0; i < t->n; i++)
		any |= t->member[i].method->trial.led_out;
	return any && !t->led_out;
}

/* Have frames led out of the A's in which they stay; `long_ones`: else of
 * none. */
static void wait_for_frames(struct cof_trial *t, bool long_ones)
{
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];
		bool stay = long_ones && !t->led_out &&
			    is_wrong(m->right, m->wrong,
				     COF_TUNE(trial_wrong_pct));

		m->method->trial.waits_for = stay ? m->a : NULL;
	}
}

/*
 * If threads do not come out in time, turns must be longer. Frames that stay
 * for more than such a turn too may leave for continuations, once in a trial
 * (optimizer/osr/osr.h). Without them turns are as at first.
 */
static void lengthen_turns(struct cof_trial *t)
{
	bool enough = t->right + t->wrong >= COF_TUNE(trial_follow_samples);
	bool wrong = is_wrong(t->right, t->wrong, COF_TUNE(trial_wrong_pct));

	if (were_led_out(t)) {
		t->led_out = true;
		begin_anew(t, 1);
	} else if (enough && !wrong) {
		wait_for_frames(t, false);
	} else if (enough && t->stretch < COF_TUNE(trial_stretch_most)) {
		wait_for_frames(t, t->stretch > 1);
		begin_anew(t, t->stretch * 2);
	}
}

/* The part of A's time that is lost if earlier runs were right that B is
 * faster. */
static double lost_in_a(const struct cof_trial *t)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t proven = t->member[i].b->promise.proven_permille;

		sum += proven > 1000 ? 1 - 1000.0 / proven : 0;
	}
	return sum / t->n;
}

/* The estimated loss by the turn of the one that looks slower: of B, or of an A
 * of which earlier runs proved it. */
static double lost_ns(const struct cof_trial *t, const struct cof_tick *tick,
		      double inside)
{
	double loss = t->b_now == t->favours_a ?
		      t->b_now ? t->loss : lost_in_a(t) : 0;

	if (!(tick->samples > 0))
		return 0;
	return loss * fmin(inside / tick->samples, 1) * (double)tick->cpu_ns;
}

static void end_slice(struct cof_trial *t, const struct cof_tick *tick,
		      struct cof_toll *toll)
{
	struct cof_slice *s = &t->slice[t->b_now];
	double inside = (double)(inside_now(t) - t->inside_at);

	toll->entries = cof_trial_entries_end(t, tick->affordable);
	toll->lost_ns = lost_ns(t, tick, inside);
	add_by_turn(t);
	s->inside += inside;
	if (tick->samples > inside)
		s->outside += tick->samples - inside;
	if (t->counting) {
		s->entries += (double)toll->entries;
		s->timed += inside;
		s->cpu_ns += (double)tick->cpu_ns;
	}
	t->busy_ns += cof_trial_turns_busy_ns(tick);
}

uint64_t cof_trial_turns_busy_ns(const struct cof_tick *tick)
{
	return tick->cpu_ns < tick->wall_ns ? tick->cpu_ns : tick->wall_ns;
}

bool cof_trial_turns_tick(struct cof_trial *t, const struct cof_tick *tick,
			  struct cof_toll *toll)
{
	bool block = false;

	end_slice(t, tick, toll);
	if (--t->left == 0 && t->turn + 1 < t->turns) {
		begin_turn(t, t->turn + 1);
	} else if (t->left == 0) {
		block = true;
		cof_evidence_add(&t->evidence, &t->slice[0], &t->slice[1]);
		lengthen_turns(t);
		cof_trial_entries_spare(t);
		begin_block(t, tick->may_count, tick->random);
	}
	begin_slice(t);
	return block;
}

bool cof_trial_turns_stuck(const struct cof_trial *t)
{
	return t->stretch == COF_TUNE(trial_stretch_most) &&
	       t->right + t->wrong >= COF_TUNE(trial_follow_samples) &&
	       is_wrong(t->right, t->wrong, COF_TUNE(trial_stuck_pct));
}

bool cof_trial_turns_elsewhere(const struct cof_trial *t)
{
	double all = t->right + t->wrong + t->elsewhere;

	return all >= COF_TUNE(trial_follow_samples) &&
	       t->elsewhere * 100 > all * COF_TUNE(trial_stuck_pct);
}

bool cof_trial_turns_stuck_in(const struct cof_member *m)
{
	return (m->wrong + m->elsewhere) * 100 >
	       (m->right + m->wrong + m->elsewhere) * COF_TUNE(trial_stuck_pct);
}
