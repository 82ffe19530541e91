/*
 * osr.c - ask the host for continuations, park them, undo
 */
#include "optimizer/osr/osr.h"

#include <assert.h>

#include "base/log.h"
#include "base/role.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/queue.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/backoff.h"
#include "optimizer/facts/host_estimate.h"
#include "optimizer/instrumented/instrumented.h"
#include "optimizer/osr/osr_patience.h"
#include "optimizer/osr/stuck_frames.h"
#include "options/tuning.h"
#include "patcher/patcher.h"
#include "patcher/retire.h"

#define URGENT  1e9	/* gain per cost: nothing else helps such frames */

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

static bool is_due(struct cof *cof, struct cof_stuck_frame *s)
{
	struct cof_version *v = s->version;
	struct cof_version *now = cof_stuck_frame_current(v->method);

	if (!now || v->method->build.pending || v->osr.held)
		return false;
	if (now == v)
		return s->stuck && may_try(s, COF_PLAN_AVERAGE) &&
		       is_time_again(cof, s);
	s->ahead = counts_ahead(cof, s);
	if (s->ahead)
		return may_try(s, COF_PLAN_PROFILE) && is_time_again(cof, s);
	if (s->samples - s->since < cof->opts.hit_weight ||
	    !is_better(now, v) ||
	    !may_try(s, now->code.counting ? COF_PLAN_NONE : now->plan))
		return false;
	return cof_osr_patience_ends(&(struct cof_osr_wait){
		.generations = s->busy,
		.need = cof->opts.osr_generations,
		.late = s->samples - s->since,
		.entered = cof_stuck_frame_samples(now) - s->against_at,
		.again = s->tries > 0 || s->not_now > 0,
		.not_now = s->not_now,
		.on_trial = v->method->trial.now && !v->code.continuation,
		.waited_for = v->method->trial.waits_for == v,
	});
}

/*
 * Frames may be in the continuation by now, so P/O never gives it back to the
 * host. Without memory for its record it is lost.
 */
static bool add_continuation(struct cof *cof, struct cof_version *from,
			     const struct cof_version_desc *desc)
{
	struct cof_version *v;
	int err;

	v = cof_patcher_prepare(from->method, desc, &err);
	if (!v)
		return false;
	v->code.continuation = true;
	v->code.counting = desc->plan == COF_PLAN_NONE;
	cof_patcher_beside(v);
	v->osr.next = from->osr.continuations;
	from->osr.continuations = v;
	cof_osr_watch(cof, v);
	return true;
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
	struct cof_flow_osr *flow = &cof->flow->osr;

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
	cof_count_add(&flow->asked, 1);
	cof_count_add(add_continuation(cof, v, &desc) ? &flow->built :
							&flow->drop_REFUSED, 1);
	return true;
}

static struct cof_build *build_of(struct cof *cof, struct cof_stuck_frame *s)
{
	struct cof_method *method = s->version->method;
	uint64_t cost_ns = cof_host_estimate(cof, method, COF_PLAN_NONE,
					     s->plan).cost_ns;
	struct cof_build *b;

	/* To stay in code that counts would cost more. */
	if (!s->version->code.counting &&
	    (double)cost_ns > cof_unproven_left_ns(cof))
		return NULL;
	s->tries++;
	s->busy = 0;
	cof_count_add(&cof->flow->osr.asked, 1);
	b = cof_mem_alloc(sizeof(*b));
	if (!b) {
		cof_count_add(&cof->flow->osr.drop_NO_MEMORY, 1);
		return NULL;
	}
	b->kind = COF_BUILD_OSR;
	b->method = method;
	b->over = UINT32_MAX;	/* it replaces nothing */
	b->from = s->version;
	b->plan = s->plan;
	b->collects = s->ahead;
	b->speedup = 1;
	b->urgency = URGENT;
	b->estimated_ns = b->expected_ns = cost_ns;
	s->version->osr.held = true;
	method->build.pending = true;
	if (s->stuck || s->ahead)
		cof_log(cof, "COF: P/O wants a continuation of %s, plan %u: %s",
			method->name, s->plan, s->stuck ?
			"a frame is stuck in a loop" : "its profile is full");
	else
		cof_log(cof, "COF: P/O wants a continuation of %s, plan %u: "
			"%u samples came late", method->name, s->plan,
			(unsigned)(s->samples - s->since));
	s->stuck = false;
	return b;
}

struct cof_build *cof_osr_turn(struct cof *cof, struct cof_osr *osr)
{
	uint64_t now = cof_generation_now(cof);

	cof_assert_role(COF_ROLE_PICKER);
	if (!osr->frames.first)
		return NULL;
	cof_stuck_frames_drop_gone(cof, &osr->frames);
	for (struct cof_stuck_frame *s = osr->frames.first;
	     s && now != osr->generation; s = s->next) {
		cof_stuck_frame_look(cof, s);
		if (cof_stuck_frame_is_back(s))
			undo(cof, s);
	}
	osr->generation = now;
	for (struct cof_stuck_frame *s = osr->frames.first; s; s = s->next)
		if (is_due(cof, s) && !take_cached(cof, s)) {
			struct cof_build *b = build_of(cof, s);

			if (b)
				return b;
		}
	return NULL;
}

/* -- Results --------------------------------------------------------------- */

static void ended(struct cof_build *b)
{
	b->from->osr.held = false;
	b->method->build.pending = false;
}

static cof_count *no(struct cof_flow_osr *flow, enum cof_build_end end)
{
	return end == COF_BUILD_NO_IR ? &flow->drop_NO_IR :
	       end == COF_BUILD_NOT_NOW ? &flow->drop_NOT_NOW :
					  &flow->drop_DECLINED;
}

void cof_osr_take(struct cof *cof, struct cof_osr *osr, struct cof_build *b)
{
	struct cof_flow_osr *flow = &cof->flow->osr;
	struct cof_stuck_frame *s =
		cof_stuck_frames_find(&osr->frames, b->from);
	bool is_back;

	cof_assert_role(COF_ROLE_PICKER);
	ended(b);
	if (s)
		cof_stuck_frame_forget(s);
	cof_count_add(&flow->osr_ns, b->build_ns);
	cof_log(cof, "COF: the host %s a continuation of %s",
		b->end == COF_BUILD_DONE ? "built" :
		b->end == COF_BUILD_NOT_NOW ? "does not build now" :
		"did not build", b->method->name);
	if (s && b->end == COF_BUILD_NOT_NOW) {
		s->tries--;
		s->not_now++;
		s->looks_out = true;
	}
	if (b->end != COF_BUILD_DONE) {
		cof_count_add(no(flow, b->end), 1);
		if (s)
			s->declined = b->end != COF_BUILD_NOT_NOW;
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
	cof_count_add(add_continuation(cof, b->from, &b->desc) ?
			      &flow->built : &flow->drop_REFUSED, 1);
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
	ended(b);
	cof_count_add(&cof->flow->osr.drop_NO_MEMORY, 1);
}

void cof_osr_stopped(struct cof *cof, struct cof_osr *osr, struct cof_build *b,
		     bool done)
{
	if (done && b->end == COF_BUILD_DONE) {
		cof_osr_take(cof, osr, b);
		return;
	}
	ended(b);
	cof_count_add(&cof->flow->osr.drop_STOPPED, 1);
}

/* -- The end --------------------------------------------------------------- */

void cof_osr_gone(struct cof *cof, struct cof_version *v)
{
	struct cof_version *c = v->osr.continuations, *next;

	v->osr.continuations = NULL;
	for (; c; c = next) {
		next = c->osr.next;
		assert(c->state == COF_VERSION_PARKED);
		cof_count_add(&cof->flow->patcher.parked, -(uint64_t)1);
		cof_retire(cof, c);
	}
}

void cof_osr_stop(struct cof *cof, struct cof_osr *osr)
{
	struct cof_version *v;

	while (osr->frames.first) {
		v = osr->frames.first->version;
		pthread_mutex_lock(&cof->code_lock);
		if (v->state < COF_VERSION_QUARANTINE)
			cof_osr_gone(cof, v);
		pthread_mutex_unlock(&cof->code_lock);
		cof_stuck_frames_drop_first(cof, &osr->frames);
	}
}
