/*
 * osr.c - ask the host for continuations, park them, undo
 */
#include "optimizer/osr/osr.h"

#include "base/log.h"
#include "base/role.h"
#include "instance.h"
#include "optimizer/build/build.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/backoff.h"
#include "optimizer/facts/host_estimate.h"
#include "optimizer/osr/continuations.h"
#include "optimizer/osr/osr_build.h"
#include "optimizer/osr/osr_due.h"
#include "options/tuning.h"

static bool is_wanted(const struct cof *cof)
{
	return cof->host.osr && cof->opts.osr_generations > 0 &&
	       !cof->opts.dry_run;
}

void cof_osr_watch(struct cof *cof, struct cof_version *v)
{
	if (cof->osr && v && is_wanted(cof))
		cof_stuck_frames_add(cof, &cof->osr->frames, v);
}

void cof_osr_hot(struct cof *cof, struct cof_version *v)
{
	if (v->code.entries && v == cof_stuck_frame_current(v->method))
		cof_osr_watch(cof, v);
}

/* -- Asking ---------------------------------------------------------------- */

/* The version is current again: new calls must not go to its continuations. In
 * a trial that may be every few moments, so the next try comes no sooner. */
static void undo(struct cof *cof, struct cof_stuck_frame *s)
{
	const struct cof_host *host = &cof->host;

	host->osr(host->ctx, s->version->method->build.ir,
		  s->version->code.data, s->plan, NULL, NULL);
	if (s->led)
		s->tries = s->not_now = 0;
	s->led = s->looks_out = false;
	cof_count_add(&cof->flow->osr.undone, 1);
}

/* NULL: no memory. */
static struct cof_version *add(struct cof *cof, struct cof_version *from,
			       const struct cof_version_desc *desc)
{
	struct cof_version *v = cof_continuations_add(cof, from, desc);

	cof_osr_watch(cof, v);
	cof_count_add(v ? &cof->flow->osr.built : &cof->flow->osr.drop_REFUSED,
		      1);
	return v;
}

/* A trial that waited for the frames goes on without them. */
static void led_out(struct cof_stuck_frame *s)
{
	struct cof_method_trial *t = &s->version->method->trial;

	s->led = true;
	if (t->waits_for != s->version)
		return;
	t->waits_for = NULL;
	t->led_out = true;
}

/* Lead frames into continuations that an earlier run cached with the current
 * version. False: the host has none. */
static bool take_cached(struct cof *cof, struct cof_stuck_frame *s)
{
	const struct cof_host *host = &cof->host;
	struct cof_version *v = s->version;
	const struct cof_version *now = cof_stuck_frame_current(v->method);
	struct cof_version_desc desc = { .size = sizeof(desc) };

	if (!now || now == v || !now->promise.cached || s->led ||
	    s->cached >= COF_TUNE(osr_tries) || !is_wanted(cof) ||
	    !host->cached_continuations ||
	    host->cached_continuations(host->ctx, v->method->data, v->code.data,
				       now->code.data, &desc) != 0)
		return false;
	cof_log(cof, "COF: the host brought continuations of %s, cached by an "
		"earlier run", v->method->name);
	led_out(s);
	s->cached++;
	s->plan = desc.plan = now->plan;
	cof_stuck_frame_forget(s);
	cof_count_add(&cof->flow->osr.asked, 1);
	add(cof, v, &desc);
	return true;
}

static void log_build(struct cof *cof, const struct cof_stuck_frame *s)
{
	const char *name = s->version->method->name;

	if (s->stuck || s->ahead)
		cof_log(cof, "COF: P/O wants a continuation of %s, plan %u: %s",
			name, s->plan, s->stuck ?
			"a frame is stuck in a loop" : "its profile is full");
	else
		cof_log(cof, "COF: P/O wants a continuation of %s, plan %u: "
			"%u samples came late", name, s->plan,
			(unsigned)(s->samples - s->since));
}

/* May the run spend what the continuation takes? To stay in code that counts
 * would cost more. */
static bool affords(const struct cof *cof, const struct cof_stuck_frame *s)
{
	bool counts = s->plan == COF_PLAN_NONE;
	double cost_ns = (double)cof_host_estimate(
		cof, s->version->method, COF_PLAN_NONE,
		counts ? COF_PLAN_PROFILE : s->plan).cost_ns;

	if (counts)
		cost_ns /= COF_TUNE(counting_build_part);
	return s->version->code.counting ||
	       cost_ns <= cof_unproven_left_for_ns(cof, counts);
}

static struct cof_build *build_of(struct cof *cof, struct cof_stuck_frame *s)
{
	struct cof_version *v = s->version;
	bool tried = s->plan == COF_PLAN_PROFILE && cof_loop_trials_can(cof) &&
		     cof_osr_is_only_reached(s);
	struct cof_build *b;

	if (!affords(cof, s))
		return NULL;
	s->tries++;
	s->busy = 0;
	b = cof_osr_build_new(cof, v, s->plan, tried);
	if (!b)
		return NULL;
	b->collects = s->ahead;
	log_build(cof, s);
	s->stuck = false;
	return b;
}

struct cof_build *cof_osr_turn(struct cof *cof, struct cof_osr *osr)
{
	uint64_t now = cof_generation_now(cof);
	struct cof_build *b;

	cof_assert_role(COF_ROLE_PICKER);
	cof_loop_trials_turn(cof, &osr->trials);
	b = cof_loop_trials_next(cof, &osr->trials);
	if (b || !osr->frames.first)
		return b;
	cof_stuck_frames_drop_gone(cof, &osr->frames);
	for (struct cof_stuck_frame *s = osr->frames.first;
	     s && now != osr->generation; s = s->next) {
		cof_stuck_frame_look(cof, s);
		if (cof_stuck_frame_is_back(s))
			undo(cof, s);
	}
	osr->generation = now;
	for (struct cof_stuck_frame *s = osr->frames.first; s; s = s->next)
		if (cof_osr_is_due(cof, s) && !take_cached(cof, s)) {
			b = build_of(cof, s);
			if (b)
				return b;
		}
	return NULL;
}

uint64_t cof_osr_due_ns(const struct cof_osr *osr)
{
	return cof_loop_trials_due_ns(&osr->trials);
}

/* -- Results --------------------------------------------------------------- */

/* The host did not build it. */
static void no_result(struct cof *cof, struct cof_stuck_frame *s,
		      const struct cof_build *b)
{
	cof_osr_build_count(cof, b);
	if (!s)
		return;
	if (b->end == COF_BUILD_NOT_NOW) {
		s->tries--;
		s->not_now++;
		s->looks_out = true;
	} else {
		s->declined = true;
	}
}

static void log_result(struct cof *cof, const struct cof_build *b)
{
	cof_log(cof, "COF: the host %s a continuation of %s",
		b->end == COF_BUILD_DONE ? "built" :
		b->end == COF_BUILD_NOT_NOW ? "does not build now" :
		"did not build", b->method->name);
}

/* A result for a trial of loops. False: it is for no trial. */
static bool take_for_trial(struct cof *cof, struct cof_osr *osr,
			   const struct cof_build *b)
{
	struct cof_version *v = NULL;

	if (!b->from->osr.on_trial)
		return false;
	if (b->end == COF_BUILD_DONE)
		v = add(cof, b->from, &b->desc);
	else
		cof_osr_build_count(cof, b);
	return cof_loop_trials_take(cof, &osr->trials, b, v);
}

void cof_osr_take(struct cof *cof, struct cof_osr *osr, struct cof_build *b)
{
	struct cof_stuck_frame *s =
		cof_stuck_frames_find(&osr->frames, b->from);
	struct cof_version *v;
	bool is_back;

	cof_assert_role(COF_ROLE_PICKER);
	cof_osr_build_ended(b);
	cof_count_add(&cof->flow->osr.osr_ns, b->build_ns);
	log_result(cof, b);
	if (take_for_trial(cof, osr, b))
		return;
	if (s)
		cof_stuck_frame_forget(s);
	if (b->end != COF_BUILD_DONE) {
		no_result(cof, s, b);
		return;
	}
	if (s) {
		led_out(s);
		s->looks_out = false;
		s->not_now = 0;
	}
	is_back = b->from == cof_stuck_frame_current(b->method);
	b->from->osr.vacated = is_back && !b->method->trial.now;
	if (b->from->osr.vacated) {
		/* Its marks were about code that frames leave now. */
		cof_backoff_forgive(b->method);
		cof_word_flags(&b->from->word, 0, COF_WORD_SETTLED);
	}
	v = add(cof, b->from, &b->desc);
	if (v && b->tried)
		cof_loop_trials_add(cof, &osr->trials, v);
	/* It is current by turns. The frames that stayed are out by now. */
	if (s && is_back && !b->from->osr.vacated)
		undo(cof, s);
}

void cof_osr_cached(struct cof *cof, struct cof_osr *osr,
		    struct cof_version *v)
{
	struct cof_stuck_frame *s =
		osr ? cof_stuck_frames_find(&osr->frames, v) : NULL;

	cof_assert_role(COF_ROLE_PICKER);
	if (s)
		take_cached(cof, s);
}

void cof_osr_back(struct cof *cof, struct cof_osr *osr, struct cof_version *v)
{
	struct cof_stuck_frame *s =
		osr ? cof_stuck_frames_find(&osr->frames, v) : NULL;

	if (s && s->led && !v->osr.vacated && !v->osr.held)
		undo(cof, s);
}

void cof_osr_unqueued(struct cof *cof, struct cof_osr *osr,
		      struct cof_build *b)
{
	(void)osr;
	cof_osr_build_ended(b);
	cof_count_add(&cof->flow->osr.drop_NO_MEMORY, 1);
}

void cof_osr_stopped(struct cof *cof, struct cof_osr *osr, struct cof_build *b,
		     bool done)
{
	if (done && b->end == COF_BUILD_DONE) {
		cof_osr_take(cof, osr, b);
		return;
	}
	cof_osr_build_ended(b);
	cof_count_add(&cof->flow->osr.drop_STOPPED, 1);
}

/* -- The end --------------------------------------------------------------- */

void cof_osr_gone(struct cof *cof, struct cof_version *v)
{
	cof_continuations_gone(cof, v);
	if (cof->osr)
		cof_loop_trials_gone(cof, &cof->osr->trials, v);
}

void cof_osr_stop(struct cof *cof, struct cof_osr *osr)
{
	struct cof_version *v;

	cof_loop_trials_stop(cof, &osr->trials);
	while (osr->frames.first) {
		v = osr->frames.first->version;
		pthread_mutex_lock(&cof->code_lock);
		if (v->state < COF_VERSION_QUARANTINE)
			cof_continuations_gone(cof, v);
		pthread_mutex_unlock(&cof->code_lock);
		cof_stuck_frames_drop_first(cof, &osr->frames);
	}
}
