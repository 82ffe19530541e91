/*
 * loop_trial.c - see loop_trial.h
 */
#include "optimizer/osr/loop_trial.h"

#include <math.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/units.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/build.h"
#include "optimizer/build/worker.h"
#include "optimizer/facts/rollback.h"
#include "optimizer/osr/continuations.h"
#include "optimizer/osr/loop_turns.h"
#include "optimizer/osr/loop_verdict.h"
#include "optimizer/osr/osr_build.h"
#include "options/tuning.h"
#include "patcher/left_alone.h"

enum stage {
	WANTS_A,
	TURNS,
	SETTLES,
	ENDS,		/* nothing to do but to let B go once A is gone */
};

struct cof_loop_trial {
	struct cof_loop_trial *next;
	enum stage             stage;
	struct cof_version    *a, *b;	/* a NULL: not built yet */
	bool                   keeps_b;	/* SETTLES */
	uint32_t               tries;	/* of the build that is wanted */
	uint32_t               not_now;	/* times that no frame came for it */
	uint64_t               turned;	/* turns of what is to be left, at the
					 * last of these */
	uint64_t               not_before;	/* generation of the next one */
	double                 speedup;	/* of B over A; 0: not known */
	struct cof_loop_turns  turns;
};

bool cof_loop_trials_can(const struct cof *cof)
{
	const struct cof_host *host = &cof->host;

	return cof->audit && host->osr_try && host->osr_lead && host->osr_turns;
}

void cof_loop_trials_add(struct cof *cof, struct cof_loop_trials *trials,
			 struct cof_version *b)
{
	struct cof_loop_trial *t = cof_mem_alloc(sizeof(*t));

	b->osr.by_trial = true;
	if (!t)
		return;
	t->b = b;
	b->osr.on_trial = true;
	t->next = trials->first;
	trials->first = t;
	cof_count_add(&cof->flow->osr.tried, 1);
}

static void remove_at(struct cof_loop_trial **at)
{
	struct cof_loop_trial *t = *at;

	*at = t->next;
	cof_mem_free(t);
}

static void let_go(struct cof *cof, struct cof_version *v)
{
	pthread_mutex_lock(&cof->code_lock);
	cof_continuations_let_go(cof, v);
	pthread_mutex_unlock(&cof->code_lock);
}

/* -- Turns ----------------------------------------------------------------- */

static uint64_t turns_of(const struct cof *cof, const struct cof_version *v)
{
	return cof->host.osr_turns(cof->host.ctx, v->code.data);
}

static struct cof_loop_look look_at(struct cof *cof,
				    struct cof_loop_trials *trials,
				    const struct cof_loop_trial *t)
{
	uint64_t builds = trials->workers ?
			  cof_workers_cpu_ns(trials->workers) : 0;
	uint64_t all = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);

	return (struct cof_loop_look){
		.now_ns = cof_clock_ns(),
		.cpu_ns = all > builds ? all - builds : 0,
		.turns = { turns_of(cof, t->a), turns_of(cof, t->b) },
		.random = cof_random_next(&trials->random),
	};
}

static void lead(struct cof *cof, const struct cof_loop_trial *t, bool to_b)
{
	cof_continuations_lead(cof, to_b ? t->a : t->b, to_b ? t->b : t->a);
}

static enum cof_audit_state state_of(const struct cof_loop_trial *t)
{
	return cof_loop_verdict_state(t->a != NULL, t->turns.found,
				      t->keeps_b);
}

/* What is kept is built anew; both are left for that. */
static void settle(struct cof *cof, struct cof_loop_trial *t, bool keep_b,
		   const struct cof_measure *m)
{
	struct cof_flow_osr *flow = &cof->flow->osr;
	struct cof_method *method = t->b->method;

	t->speedup = m->known ? exp(-m->log_time) : 0;
	t->stage = SETTLES;
	t->keeps_b = keep_b;
	t->not_before = 0;
	cof_method_loops_tried(method, state_of(t),
			       cof_loop_verdict_speed(t->turns.found, keep_b,
						      m));
	lead(cof, t, keep_b);
	cof_log(cof, "COF: AUDIT: loops of %s %s: measured %.3f +- %.3f, %u "
		"strata of turns", method->name, keep_b ?
		"stay with their profile" : "leave what the profile made",
		t->speedup, t->speedup * m->error,
		t->turns.fine.evidence.pace.n);
	cof_count_add(&flow->crossed, t->turns.crossed);
	cof_count_add(&flow->decided, 1);
	cof_count_add(&flow->rolled_back, !keep_b);
	if (!keep_b && m->known)
		cof_rollback_note(cof, method, COF_PLAN_PROFILE);
}

static void turn(struct cof *cof, struct cof_loop_trials *trials,
		 struct cof_loop_trial *t)
{
	struct cof_measure m = { 0 };
	struct cof_loop_look look;
	enum cof_loop_act act;

	/* No other frame is to come to what it has inlined. */
	if (cof_left_alone_is_in(t->b)) {
		settle(cof, t, false, &m);
		return;
	}
	if (cof_clock_ns() < t->turns.end_ns)
		return;
	look = look_at(cof, trials, t);
	act = cof_loop_turns_step(&t->turns, &look,
				  cof->opts.audit_error / 1000.0,
				  cof->opts.audit_s * COF_S_NS, &m);
	if (cof->opts.stress)
		act = cof_loop_verdict_stressed(act, look.random);
	switch (act) {
	case COF_LOOP_STAY:
		cof_loop_verdict_so_far(t->b->method, &m);
		break;
	case COF_LOOP_SWITCH:
		cof_loop_verdict_so_far(t->b->method, &m);
		lead(cof, t, t->turns.b_now);
		break;
	case COF_LOOP_KEEP_A:
	case COF_LOOP_KEEP_B:
		settle(cof, t, act == COF_LOOP_KEEP_B, &m);
		break;
	}
}

/*
 * No frame can come any more, as what B was made for is gone, and none has gone
 * round for long. One that waits inside goes on where it is.
 */
static bool is_over(const struct cof_loop_trial *t)
{
	return t->b->osr.orphan && !t->b->osr.held &&
	       (t->stage == TURNS ? t->turns.silent >= COF_TUNE(loop_over) :
		t->stage == SETTLES && !(t->a && t->a->osr.held) &&
		t->not_now >= COF_TUNE(osr_doublings));
}

static void disband(struct cof *cof, struct cof_loop_trial **at)
{
	struct cof_loop_trial *t = *at;

	if (t->a) {
		cof_continuations_stay(cof, t->a);
		let_go(cof, t->a);
	}
	cof_continuations_stay(cof, t->b);
	let_go(cof, t->b);
	remove_at(at);
}

void cof_loop_trials_turn(struct cof *cof, struct cof_loop_trials *trials)
{
	for (struct cof_loop_trial **at = &trials->first; *at;) {
		if ((*at)->stage == TURNS)
			turn(cof, trials, *at);
		if (is_over(*at))
			disband(cof, at);
		else
			at = &(*at)->next;
	}
}

uint64_t cof_loop_trials_due_ns(const struct cof_loop_trials *trials)
{
	uint64_t least = UINT64_MAX, now = cof_clock_ns();

	for (const struct cof_loop_trial *t = trials->first; t; t = t->next) {
		uint64_t end = t->turns.end_ns;

		if (t->stage == TURNS && (end <= now || end - now < least))
			least = end > now ? end - now : 0;
	}
	return least;
}

/* -- Builds ---------------------------------------------------------------- */

/* Ask again, later each time. */
static void put_off(struct cof *cof, struct cof_loop_trial *t, uint32_t n)
{
	if (n > COF_TUNE(osr_doublings))
		n = COF_TUNE(osr_doublings);
	t->not_before = cof_generation_now(cof) +
			((uint64_t)cof->opts.osr_generations << n);
}

static void no_frame_came(struct cof *cof, struct cof_loop_trial *t)
{
	put_off(cof, t, t->not_now++);
}

/* Where no frame came, and none has gone round since, the host is not asked. */
struct cof_build *cof_loop_trials_next(struct cof *cof,
				       struct cof_loop_trials *trials)
{
	for (struct cof_loop_trial *t = trials->first; t; t = t->next) {
		struct cof_version *from;
		struct cof_build *b;

		from = t->stage == SETTLES && !t->keeps_b ? t->a : t->b;
		if ((t->stage != WANTS_A && t->stage != SETTLES) ||
		    from->method->build.pending || from->osr.held ||
		    cof_generation_now(cof) < t->not_before)
			continue;
		if (t->not_now > 0 && turns_of(cof, from) == t->turned) {
			no_frame_came(cof, t);
			continue;
		}
		b = cof_osr_build_new(cof, from,
				      t->stage == SETTLES && t->keeps_b ?
				      COF_PLAN_PROFILE : COF_PLAN_AVERAGE,
				      t->stage == WANTS_A);
		t->not_before = cof_generation_now(cof) + 1;
		if (b)
			return b;
	}
	return NULL;
}

/*
 * Frames leave both sides for what is final, which is a continuation of the one
 * that was kept. Nothing leads to the other one any more, except if B lost: it
 * was there first, so frames come by it.
 */
static void end(struct cof *cof, struct cof_loop_trial *t)
{
	t->stage = ENDS;
	if (!t->a) {
		let_go(cof, t->b);
	} else if (t->keeps_b) {
		/* B is let go when A is gone, which leads there. Frames that
		 * stay in other loops of A may follow. */
		t->a->osr.on_trial = t->a->osr.by_trial = false;
		cof_continuations_drop(t->b, t->a);
	} else {
		let_go(cof, t->b);
		let_go(cof, t->a);
	}
}

/*
 * The host did not build it. Where no frame came it is asked again, later each
 * time; else some times. Then, without an A, B is made final untried; and what
 * is kept stays as it is.
 */
static void no_result(struct cof *cof, struct cof_loop_trial *t,
		      const struct cof_build *b)
{
	if (b->end == COF_BUILD_NOT_NOW) {
		no_frame_came(cof, t);
		t->turned = turns_of(cof, b->from);
		return;
	}
	put_off(cof, t, t->tries);
	if (++t->tries < COF_TUNE(osr_tries))
		return;
	if (t->stage == WANTS_A) {
		t->stage = SETTLES;
		t->keeps_b = true;
		t->tries = 0;
	} else {
		cof_continuations_stay(cof, b->from);
		end(cof, t);
	}
}

static void took_a(struct cof *cof, struct cof_loop_trials *trials,
		   struct cof_loop_trial *t, struct cof_version *a)
{
	struct cof_loop_look look;

	a->osr.on_trial = a->osr.by_trial = true;
	t->a = a;
	t->tries = t->not_now = 0;
	t->stage = TURNS;
	look = look_at(cof, trials, t);
	cof_loop_turns_begin(&t->turns, &look);
	cof_log(cof, "COF: P/O tries loops of %s by their turns",
		a->method->name);
}

static void took_final(struct cof *cof, struct cof_loop_trial *t,
		       struct cof_version *v)
{
	v->osr.by_trial = true;
	atomic_store_explicit(&v->trial.state, (uint32_t)state_of(t),
			      memory_order_relaxed);
	if (t->speedup > 0)
		atomic_store_explicit(&v->trial.gain_permille, (int32_t)lround(
			(fmin(t->speedup, 1e6) - 1) * 1000),
			memory_order_relaxed);
	end(cof, t);
}

bool cof_loop_trials_take(struct cof *cof, struct cof_loop_trials *trials,
			  const struct cof_build *b, struct cof_version *made)
{
	struct cof_loop_trial **at = &trials->first, *t;

	while (*at && (*at)->b != b->from && (*at)->a != b->from)
		at = &(*at)->next;
	t = *at;
	if (!t || (t->stage != WANTS_A && t->stage != SETTLES))
		return false;
	if (!made) {
		no_result(cof, t, b);
	} else if (t->stage == WANTS_A) {
		took_a(cof, trials, t, made);
	} else {
		took_final(cof, t, made);
	}
	if (t->stage == ENDS && !(t->a && t->keeps_b))
		remove_at(at);
	return true;
}

/* -- The end --------------------------------------------------------------- */

void cof_loop_trials_gone(struct cof *cof, struct cof_loop_trials *trials,
			  const struct cof_version *v)
{
	struct cof_loop_trial **at = &trials->first;

	while (*at && !((*at)->stage == ENDS && (*at)->a == v))
		at = &(*at)->next;
	if (!*at)
		return;
	cof_continuations_let_go(cof, (*at)->b);
	remove_at(at);
}

void cof_loop_trials_stop(struct cof *cof, struct cof_loop_trials *trials)
{
	while (trials->first) {
		struct cof_loop_trial *t = trials->first;

		if (t->a && t->stage != ENDS)
			let_go(cof, t->a);
		let_go(cof, t->b);
		remove_at(&trials->first);
	}
}
