/*
 * stuck_frames.c - the list of watched versions, and the look at them
 */
#include "optimizer/osr/stuck_frames.h"

#include "instance.h"
#include "memory/mem.h"
#include "optimizer/facts/sampled_time.h"
#include "options/tuning.h"

uint64_t cof_stuck_frame_samples(const struct cof_version *v)
{
	return cof_count_get((cof_count *)&v->sampled.total) +
	       cof_count_get((cof_count *)&v->sampled.dead);
}

static uint64_t entries_of(const struct cof_version *v)
{
	const uint64_t *entries = v->code.entries;

	return entries ? __atomic_load_n(entries, __ATOMIC_RELAXED) : 0;
}

void cof_stuck_frames_add(struct cof *cof, struct cof_stuck_frames *frames,
			  struct cof_version *v)
{
	struct cof_stuck_frame *s;

	if (v->osr.watched)
		return;
	s = cof_mem_alloc(sizeof(*s));
	if (!s)
		return;
	s->version = v;
	s->samples = cof_stuck_frame_samples(v);
	s->entries = entries_of(v);
	s->against = UINT32_MAX;
	s->next = frames->first;
	frames->first = s;
	frames->n++;
	v->osr.watched = true;
	cof_count_set(&cof->flow->osr.watched, frames->n);
}

struct cof_stuck_frame *
cof_stuck_frames_find(const struct cof_stuck_frames *frames,
		      const struct cof_version *v)
{
	struct cof_stuck_frame *s = frames->first;

	while (s && s->version != v)
		s = s->next;
	return s;
}

static void drop(struct cof *cof, struct cof_stuck_frames *frames,
		 struct cof_stuck_frame **at)
{
	struct cof_stuck_frame *s = *at;

	*at = s->next;
	cof_mem_free(s);
	frames->n--;
	cof_count_set(&cof->flow->osr.watched, frames->n);
}

void cof_stuck_frames_drop_gone(struct cof *cof,
				struct cof_stuck_frames *frames)
{
	struct cof_stuck_frame **at = &frames->first;

	while (*at)
		if ((*at)->version->state < COF_VERSION_QUARANTINE)
			at = &(*at)->next;
		else
			drop(cof, frames, at);
}

void cof_stuck_frames_drop_first(struct cof *cof,
				 struct cof_stuck_frames *frames)
{
	frames->first->version->osr.watched = false;
	drop(cof, frames, &frames->first);
}

/* -- Looking --------------------------------------------------------------- */

/* The first sample in a continuation shows that a frame got there. */
static void note_entered(struct cof *cof, const struct cof_version *v)
{
	for (struct cof_version *c = v->osr.continuations; c; c = c->osr.next)
		if (!c->osr.entered && cof_stuck_frame_samples(c) > 0) {
			c->osr.entered = true;
			cof_count_add(&cof->flow->osr.entered, 1);
			cof_count_add(&cof->flow->osr.profiled,
				      c->plan == COF_PLAN_PROFILE);
		}
}

/* Is the current version hot, though no call entered it? */
static void note_stuck(const struct cof *cof, struct cof_stuck_frame *s,
		       uint64_t now)
{
	uint64_t entries = entries_of(s->version);

	s->entered = !s->version->code.entries ||
		     (s->entries != UINT64_MAX && entries != s->entries);
	s->stuck = s->version->code.entries && entries == s->entries &&
		   now - s->samples >= cof->opts.hit_weight &&
		   !s->version->method->trial.now;
	s->entries = entries;
}

/* What was seen while another version was current says nothing of this one. */
static void note_against(struct cof_stuck_frame *s)
{
	const struct cof_version *now =
		cof_stuck_frame_current(s->version->method);

	if (!now || now == s->version || now->number == s->against)
		return;
	s->against = now->number;
	s->against_at = cof_stuck_frame_samples(now);
	s->busy = 0;
}

void cof_stuck_frame_look(struct cof *cof, struct cof_stuck_frame *s)
{
	struct cof_version *v = s->version;
	uint64_t now = cof_stuck_frame_samples(v);

	note_entered(cof, v);
	note_against(s);
	/* The method is as hot as its continuations. */
	if (v->code.continuation)
		v->method->build.past_ns += (double)(now - s->samples) *
			(double)cof_sampled_time_period_ns(cof);
	if (v == cof_stuck_frame_current(v->method)) {
		note_stuck(cof, s, now);
		/* In a trial it is current only by turns. */
		if (!v->method->trial.now)
			s->busy = s->stuck ? s->busy + 1 : 0;
	} else if (now == s->samples) {
		/* On a busy machine it may not run for a whole generation. */
		if (s->busy > 0 && ++s->quiet >= COF_TUNE(stuck_quiet))
			s->busy = 0;
	} else {
		if (s->busy++ == 0)
			s->since = s->samples;
		s->quiet = 0;
	}
	if (v != cof_stuck_frame_current(v->method))
		s->stuck = s->entered = v->osr.vacated = false;
	s->samples = now;
}

bool cof_stuck_frame_is_back(const struct cof_stuck_frame *s)
{
	const struct cof_version *v = s->version;

	return (s->led || (s->looks_out && s->entered)) && !v->osr.vacated &&
	       !v->osr.held && v == cof_stuck_frame_current(v->method);
}

void cof_stuck_frame_forget(struct cof_stuck_frame *s)
{
	s->busy = 0;
	s->stuck = false;
	s->samples = cof_stuck_frame_samples(s->version);
	s->entries = UINT64_MAX;
}
