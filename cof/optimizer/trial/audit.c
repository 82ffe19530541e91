/*
 * audit.c - what goes on trial, and what P/O is told
 */
#include "optimizer/trial/audit.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/role.h"
#include "base/units.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/rollback.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/trial/trial_scheduler.h"
#include "optimizer/trial/trial_verdict.h"
#include "options/tuning.h"
#include "patcher/patcher.h"
#include "process/barrier.h"

struct cof_audit {
	struct cof_trial_scheduler scheduler;
	bool retries;	/* this run tries proven versions again */
};

void cof_audit_turn(struct cof *cof, const struct cof_workers *workers)
{
	cof_assert_role(COF_ROLE_PICKER);
	if (cof->audit)
		cof_trial_scheduler_turn(cof, &cof->audit->scheduler, workers);
}

uint64_t cof_audit_due_ns(const struct cof *cof)
{
	return cof->audit ?
		       cof_trial_scheduler_due_ns(&cof->audit->scheduler) :
		       UINT64_MAX;
}

/* -- What comes in --------------------------------------------------------- */

/* The method got a build although it is on trial. The new version is compared
 * with `older`, which is A or B of that trial. */
static void interrupt(struct cof *cof, struct cof_trial_scheduler *s,
		      struct cof_method *method,
		      const struct cof_version *older)
{
	struct cof_trial *t = method->trial.now;

	cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_REPLACED);
	cof_trial_leave(t, older);
	cof_trial_scheduler_remove(s, t);
}

static void put_on_trial(struct cof *cof, struct cof_trial_scheduler *s,
			 struct cof_method *method, struct cof_version *older,
			 struct cof_version *newer)
{
	struct cof_trial *t = cof_trial_scheduler_trial(s, newer);

	cof_count_add(&cof->flow->audit.tried, 1);
	/* A thread that enters an endless loop at the program's begin, such as
	 * an interpreter's, is to enter it in B, not in A because it is A's
	 * turn. */
	if (t && newer->promise.cached)
		t->not_before = cof_generation_now(cof) + COF_TUNE(trial_early);
	if (t && cof_trial_add(t, method, older, newer))
		return;
	if (t && t->n == 0)
		cof_trial_scheduler_remove(s, t);
	cof_count_add(&cof->flow->audit.drop_NO_ROOM, 1);
	if (!cof_phase_reuse_keep(cof, older))
		cof_patcher_retire(older);
}

/* `newer` stays without a trial. */
static void keep_untried(struct cof *cof, struct cof_method *method,
		     struct cof_version *older, struct cof_version *newer)
{
	cof_phase_reuse_remember(cof, method, newer->phase.id, newer);
	if (!cof_phase_reuse_keep(cof, older))
		cof_patcher_retire(older);
}

/* An earlier run measured `newer`. */
static void believe(struct cof *cof, struct cof_method *method,
		    struct cof_version *older, struct cof_version *newer)
{
	cof_log(cof, "COF: AUDIT: an earlier run proved %s: %.3f times as fast",
		method->name, newer->promise.proven_permille / 1000.0);
	cof_count_add(&cof->flow->audit.proven, 1);
	cof_trial_speed_store(&newer->trial.speed_permille,
			      cof_trial_speed_before(&newer->trial) *
			      newer->promise.proven_permille / 1000);
	atomic_store_explicit(&newer->trial.gain_permille,
			      (int32_t)newer->promise.proven_permille - 1000,
			      memory_order_relaxed);
	atomic_store_explicit(&newer->trial.state, COF_AUDIT_PROVEN,
			      memory_order_relaxed);
	keep_untried(cof, method, older, newer);
}

void cof_audit_installed(struct cof *cof, struct cof_method *method,
			 struct cof_version *older, struct cof_version *newer)
{
	struct cof_audit *a = cof->audit;

	cof_assert_role(COF_ROLE_PICKER);
	if (!a || !older)
		return;
	if (method->trial.now)
		interrupt(cof, &a->scheduler, method, older);
	if (older->code.counting && method->trial.base) {
		cof_patcher_retire(older);
	} else if (older->code.counting) {
		cof_patcher_retire(older);
		return;		/* nothing to compare with */
	} else {
		if (method->trial.base)
			cof_patcher_retire(method->trial.base);
		method->trial.base = older;
	}
	if (newer->code.counting)
		return;
	older = method->trial.base;
	method->trial.base = NULL;
	cof_trial_speed_store(&newer->trial.before_permille,
			      cof_trial_speed(&older->trial));
	if (cof_version_is_same(older, newer)) {
		cof_log(cof, "COF: AUDIT: the code of %s is what it was",
			method->name);
		cof_count_add(&cof->flow->audit.same, 1);
		keep_untried(cof, method, older, newer);
	} else if (newer->promise.proven_permille && !a->retries) {
		believe(cof, method, older, newer);
	} else if (newer->promise.showed_nothing && !a->retries) {
		cof_log(cof, "COF: AUDIT: the trial of an earlier run showed "
			"nothing of %s", method->name);
		cof_count_add(&cof->flow->audit.unseen, 1);
		keep_untried(cof, method, older, newer);
	} else {
		put_on_trial(cof, &a->scheduler, method, older, newer);
	}
}

/* Ends the trial by what is known so far. */
static void give_up(struct cof *cof, struct cof_trial *t, cof_count *reason)
{
	struct cof_measure m;

	cof_trial_measure(t, &m);
	cof_trial_verdict_give_up(cof, t, reason);
	if (cof_trial_stands(cof, t))
		cof_trial_end(t, m.log_time <= COF_TUNE(evidence_equal));
	else
		cof_trial_leave(t, NULL);
}

/* -- What P/O asks --------------------------------------------------------- */

bool cof_audit_paused(const struct cof_method *method)
{
	const struct cof_trial *t = method->trial.now;

	/* t->paused alone does not do: the trial may be about to go on. */
	return t && t->paused && cof_program_phase_now(method->cof) != 0 &&
	       cof_phase_reuse_elsewhere(method->cof, t->phase);
}

bool cof_audit_yields(const struct cof_method *method)
{
	const struct cof_trial *t = method->trial.now;

	if (!t || method->cof->opts.stress)
		return false;
	if (t->paused)
		return cof_audit_paused(method) &&
		       (t->favours_b ||
			cof_generation_now(method->cof) - t->paused_at >=
				COF_TUNE(trial_pause_least));
	return t->n == 1 &&
	       t->member[0].b->plan < cof_top_plan(method->cof);
}

/* The method is worth a version for the phase that the program is in now. */
static void set_aside(struct cof *cof, struct cof_trial *t)
{
	cof_trial_verdict_give_up(cof, t, &cof->flow->audit.drop_ELSEWHERE);
	if (cof_trial_stands(cof, t))
		cof_trial_set_aside(t);
	else
		cof_trial_leave(t, NULL);
}

struct cof_version *cof_audit_yield(struct cof *cof, struct cof_method *method)
{
	struct cof_trial_scheduler *s = &cof->audit->scheduler;
	struct cof_trial *t = method->trial.now;

	if (t->paused)
		set_aside(cof, t);
	else
		give_up(cof, t, &cof->flow->audit.drop_REPLACED);
	cof_trial_scheduler_remove(s, t);
	cof_trial_scheduler_count(cof, s);
	cof_barrier(cof);
	return atomic_load_explicit(&method->current, memory_order_acquire);
}

bool cof_audit_banned(const struct cof_method *method, enum cof_plan plan)
{
	return cof_rollback_bans(method, plan);
}

double cof_audit_expect(const struct cof *cof, enum cof_plan plan,
			double promised)
{
	if (!cof->audit)
		return promised;
	return promised * cof_promise_calibration_ratio(
				  &cof->audit->scheduler.calibration, plan);
}

/* -- Life ------------------------------------------------------------------ */

static bool is_wanted(const struct cof_opts *o)
{
	switch (o->audit) {
	case COF_AUDIT_WORD_OFF:
		return false;
	case COF_AUDIT_WORD_ON:
		return true;
	default:
		return (o->mode == COF_MODE_FULL || o->mode == COF_MODE_AUTO) &&
		       !o->stress && !o->dry_run;
	}
}

int cof_audit_start(struct cof *cof)
{
	struct cof_trial_scheduler *s;
	struct cof_audit *a;

	if (!is_wanted(&cof->opts))
		return 0;
	a = cof_mem_alloc(sizeof(*a));
	if (!a)
		return -COF_E_NOMEM;
	s = &a->scheduler;
	s->random = cof->opts.stress ? cof->opts.stress : cof_clock_ns();
	s->budget.part = cof->opts.audit_permille / 1000.0;
	s->slice_ns = cof->opts.audit_turn_ms * COF_MS_NS;
	a->retries = cof->opts.audit_retry_runs != 0 &&
		     s->random / 1000 % cof->opts.audit_retry_runs == 0;
	cof->audit = a;
	return 0;
}

static void retire_bases(struct cof *cof)
{
	for (struct cof_method *m = cof_methods(cof); m; m = m->code.next) {
		if (m->trial.base)
			cof_patcher_retire(m->trial.base);
		m->trial.base = NULL;
	}
}

static void end_trials(struct cof *cof, struct cof_trial_scheduler *s)
{
	while (s->trials) {
		struct cof_trial *t = s->trials;

		give_up(cof, t, &cof->flow->audit.drop_STOPPED);
		cof_trial_scheduler_remove(s, t);
	}
	cof_trial_scheduler_count(cof, s);
}

void cof_audit_stop(struct cof *cof)
{
	enum cof_role before = cof_role;

	cof_role = COF_ROLE_PICKER;
	if (cof->audit)
		end_trials(cof, &cof->audit->scheduler);
	retire_bases(cof);
	cof_role = before;
}

struct cof_trial_scheduler *cof_audit_scheduler(struct cof *cof)
{
	return &cof->audit->scheduler;
}

void cof_audit_free(struct cof *cof)
{
	cof_mem_free(cof->audit);
	cof->audit = NULL;
}
