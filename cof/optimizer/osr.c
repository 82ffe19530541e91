/*
 * osr.c - watch, ask, keep; see osr.h
 */
#include "optimizer/osr.h"

#include <assert.h>

#include "instance.h"
#include "mem.h"
#include "optimizer/ignore.h"
#include "optimizer/optimizer.h"
#include "optimizer/queue.h"
#include "patcher/patcher.h"
#include "patcher/reclaim.h"
#include "role.h"

#define TRIES   3u	/* asks of a version with one plan: for other loops */
#define QUIET   8u	/* generations without a sample: nobody is inside */
#define PATIENT 4u	/* so much longer to wait for the end of a trial, and
			 * before another try */
#define FEW     8u	/* one part in so many, of samples */
#define URGENT  1e9	/* gain per cost: nothing else helps who is in there */

/* A version that was replaced, or counts how often it is entered. */
struct cof_stay {
	struct cof_stay    *next;
	struct cof_version *version;
	uint64_t            samples;	/* at the last look */
	uint64_t            since;	/* as of when it began to be busy */
	uint32_t            busy;	/* generations with samples, */
	uint32_t            quiet;	/* and in a row without, since then */
	uint64_t            entries;	/* at the last look, if it counts them */
	bool                stuck;	/* current, hot, and nobody came since
					 * the look before */
	bool                led;	/* its frames are led elsewhere */
	enum cof_plan       plan;	/* asked for last, */
	uint32_t            tries;	/* and so often */
	bool                declined;	/* with that plan */
};

static uint64_t generation(struct cof *cof)
{
	return atomic_load_explicit(&cof->generation, memory_order_relaxed);
}

static struct cof_version *current(const struct cof_method *method)
{
	return atomic_load_explicit(&((struct cof_method *)method)->current,
				    memory_order_acquire);
}

static uint64_t samples_of(const struct cof_version *v)
{
	return cof_count_get((cof_count *)&v->samples) +
	       cof_count_get((cof_count *)&v->late);
}

static bool is_wanted(const struct cof *cof)
{
	return cof->host.osr && cof->opts.osr_generations > 0 &&
	       !cof->opts.dry_run;
}

static uint64_t entries_of(const struct cof_version *v)
{
	return v->entries ? __atomic_load_n(v->entries, __ATOMIC_RELAXED) : 0;
}

void cof_osr_watch(struct cof *cof, struct cof_version *v)
{
	struct cof_osr *osr = cof_optimizer_osr(cof);
	struct cof_stay *s;

	if (!osr || !is_wanted(cof) || !v || v->watched)
		return;
	s = cof_alloc(sizeof(*s));
	if (!s)
		return;		/* it stays where it is */
	s->version = v;
	s->samples = samples_of(v);
	s->entries = entries_of(v);
	s->next = osr->first;
	osr->first = s;
	osr->n++;
	v->watched = true;
	cof_count_set(&cof->flow->osr.watched, osr->n);
}

void cof_osr_hot(struct cof *cof, struct cof_version *v)
{
	if (v->entries && v == current(v->method))
		cof_osr_watch(cof, v);
}

/* -- Looking ---------------------------------------------------------------- */

/* It is back, with what leads out of it: new calls are not to go there. */
static void undo(struct cof *cof, struct cof_stay *s)
{
	const struct cof_host *host = &cof->host;

	host->osr(host->ctx, s->version->method->ir, s->version->data,
		  s->plan, NULL, NULL);
	s->led = false;
	s->tries = 0;
	cof_count_add(&cof->flow->osr.undone, 1);
}

/* The first samples in a continuation say that somebody got there. */
static void note_entered(struct cof *cof, const struct cof_version *v)
{
	for (struct cof_version *c = v->continued; c; c = c->next_continued)
		if (!c->entered && samples_of(c) > 0) {
			c->entered = true;
			cof_count_add(&cof->flow->osr.entered, 1);
			cof_count_add(&cof->flow->osr.profiled,
				      c->plan == COF_PLAN_PROFILE);
		}
}

/* Of a current version: is it hot, and did nobody come? */
static void note_stuck(const struct cof *cof, struct cof_stay *s, uint64_t now)
{
	uint64_t entries = entries_of(s->version);

	s->stuck = s->version->entries && entries == s->entries &&
		   now - s->samples >= cof->opts.hit_weight &&
		   !s->version->method->trial;
	s->entries = entries;
}

static void look(struct cof *cof, struct cof_stay *s)
{
	struct cof_version *v = s->version;
	uint64_t now = samples_of(v);

	note_entered(cof, v);
	/* The method is as hot as its continuations. */
	if (v->continuation)
		v->method->past_ns += (double)(now - s->samples) *
			(double)cof_count_get(&cof->flow->sampler.period_ns);
	if (v == current(v->method)) {
		if (s->led && !v->led && !v->held)
			undo(cof, s);
		note_stuck(cof, s, now);
		/* A trial has turns. */
		if (!v->method->trial)
			s->busy = 0;
	} else if (now == s->samples) {
		/* On a busy machine a generation may go by without its turn. */
		if (s->busy > 0 && ++s->quiet >= QUIET)
			s->busy = 0;
	} else {
		if (s->busy++ == 0)
			s->since = s->samples;
		s->quiet = 0;
	}
	if (v != current(v->method))
		s->stuck = v->led = false;
	s->samples = now;
}

/* Does it count how it runs? */
static bool counts(const struct cof_version *v)
{
	return v->counting;
}

/* Is there something better than what the frames are in? */
static bool is_better(const struct cof_version *now,
		      const struct cof_version *v)
{
	if (now->counting)
		return !counts(v) && v->plan < COF_PLAN_PROFILE;
	return now->plan > v->plan ||
	       (now->plan == v->plan && now->number > v->number &&
		!v->continuation);
}

/* Once more with this plan? */
static bool may_try(struct cof_stay *s, enum cof_plan plan)
{
	if (plan != s->plan || s->tries == 0) {
		s->plan = plan;
		s->tries = 0;
		s->declined = false;
	}
	return !s->declined && s->tries < TRIES;
}

static bool is_due(struct cof *cof, struct cof_stay *s)
{
	struct cof_version *v = s->version, *now = current(v->method);
	uint32_t need = cof->opts.osr_generations;

	if (!now || v->method->building || v->held)
		return false;
	if (now == v)
		return s->stuck && may_try(s, COF_PLAN_AVERAGE);
	if (s->busy < need || s->samples - s->since < cof->opts.hit_weight ||
	    !is_better(now, v) ||
	    !may_try(s, now->counting ? COF_PLAN_NONE : now->plan))
		return false;
	if (s->tries > 0)
		need *= PATIENT;
	/* What is on trial may be back soon; but if hardly anyone comes in, a
	 * trial of what is there to come in has no end. */
	if (v->method->trial && !v->continuation) {
		need *= PATIENT;
		if (samples_of(now) * FEW > s->samples - s->since)
			return false;
	}
	return s->busy >= need;
}

static struct cof_build *build_of(struct cof *cof, struct cof_stay *s)
{
	struct cof_method *method = s->version->method;
	struct cof_build *b = cof_alloc(sizeof(*b));
	struct cof_estimate e = { 0 };

	s->tries++;
	s->busy = 0;
	cof_count_add(&cof->flow->osr.asked, 1);
	if (!b) {
		cof_count_add(&cof->flow->osr.drop_NO_MEMORY, 1);
		return NULL;
	}
	if (!cof->host.estimate ||
	    cof->host.estimate(cof->host.ctx, method->data, COF_PLAN_NONE,
			       s->plan, &e) != 0)
		e.cost_ns = 0;
	b->kind = COF_BUILD_OSR;
	b->method = method;
	b->over = UINT32_MAX;	/* it replaces nothing */
	b->from = s->version;
	b->plan = s->plan;
	b->speedup = 1;
	b->urgency = URGENT;
	b->estimated_ns = b->expected_ns = e.cost_ns;
	s->version->held = true;
	method->building = true;
	if (s->stuck)
		cof_log(cof, "COF: OSR %s is stuck in a loop, plan %u",
			method->name, s->plan);
	else
		cof_log(cof, "COF: OSR %u samples late in %s, plan %u",
			(unsigned)(s->samples - s->since), method->name,
			s->plan);
	s->stuck = false;
	return b;
}

/* Drop what has no code any more; records are freed in later turns only. */
static void drop_gone(struct cof *cof, struct cof_osr *osr)
{
	struct cof_stay **at = &osr->first, *s;

	while ((s = *at)) {
		if (s->version->state < COF_VERSION_QUARANTINE) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		osr->n--;
		cof_free_mem(s);
	}
	cof_count_set(&cof->flow->osr.watched, osr->n);
}

struct cof_build *cof_osr_turn(struct cof *cof, struct cof_osr *osr)
{
	uint64_t now = generation(cof);

	cof_assert_role(COF_ROLE_PICKER);
	if (!osr->first)
		return NULL;
	drop_gone(cof, osr);
	for (struct cof_stay *s = osr->first; s && now != osr->generation;
	     s = s->next)
		look(cof, s);
	osr->generation = now;
	for (struct cof_stay *s = osr->first; s; s = s->next)
		if (is_due(cof, s)) {
			struct cof_build *b = build_of(cof, s);

			if (b)
				return b;
		}
	return NULL;
}

/* -- Results ---------------------------------------------------------------- */

static struct cof_stay *find(struct cof_osr *osr, const struct cof_version *v)
{
	struct cof_stay *s = osr->first;

	while (s && s->version != v)
		s = s->next;
	return s;
}

static void ended(struct cof_build *b)
{
	b->from->held = false;
	b->method->building = false;
}

/*
 * Frames may be in there by now, so it is not given back, come what may: without
 * memory for its record it is lost.
 */
static bool keep(struct cof *cof, struct cof_build *b)
{
	struct cof_version *v;
	int err;

	v = cof_patcher_prepare(b->method, &b->desc, &err);
	if (!v)
		return false;
	v->continuation = true;
	v->counting = b->plan == COF_PLAN_NONE;
	cof_patcher_beside(v);
	v->next_continued = b->from->continued;
	b->from->continued = v;
	cof_osr_watch(cof, v);
	return true;
}

void cof_osr_take(struct cof *cof, struct cof_osr *osr, struct cof_build *b)
{
	struct cof_flow_osr *flow = &cof->flow->osr;
	struct cof_stay *s = find(osr, b->from);

	cof_assert_role(COF_ROLE_PICKER);
	ended(b);
	if (s) {	/* what was seen meanwhile says nothing */
		s->busy = 0;
		s->stuck = false;
		s->samples = samples_of(b->from);
		s->entries = UINT64_MAX;
	}
	cof_count_add(&flow->osr_ns, b->build_ns);
	cof_log(cof, "COF: OSR %s .... %s", b->method->name,
		b->end == COF_BUILD_DONE ? "built!" : "declined");
	if (b->end != COF_BUILD_DONE) {
		cof_count_add(b->end == COF_BUILD_NO_IR ? &flow->drop_NO_IR :
							  &flow->drop_DECLINED,
			      1);
		if (s)
			s->declined = true;
		return;
	}
	if (s)
		s->led = true;
	b->from->led = b->from == current(b->method);
	if (b->from->led) {
		/* What was said of it was said of other code. */
		cof_ignore_forgive(b->method);
		cof_word_flags(&b->from->word, 0, COF_WORD_SETTLED);
	}
	cof_count_add(keep(cof, b) ? &flow->built : &flow->drop_REFUSED, 1);
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

/* -- The end ---------------------------------------------------------------- */

void cof_osr_gone(struct cof *cof, struct cof_version *v)
{
	struct cof_version *c = v->continued, *next;

	v->continued = NULL;
	for (; c; c = next) {
		next = c->next_continued;
		assert(c->state == COF_VERSION_PARKED);
		cof_count_add(&cof->flow->patcher.parked, -(uint64_t)1);
		cof_reclaim_retire(cof, c);
	}
}

void cof_osr_stop(struct cof *cof, struct cof_osr *osr)
{
	struct cof_stay *s;

	while ((s = osr->first)) {
		osr->first = s->next;
		pthread_mutex_lock(&cof->code_lock);
		if (s->version->state < COF_VERSION_QUARANTINE)
			cof_osr_gone(cof, s->version);
		pthread_mutex_unlock(&cof->code_lock);
		s->version->watched = false;
		cof_free_mem(s);
	}
	osr->n = 0;
	cof_count_set(&cof->flow->osr.watched, 0);
}
