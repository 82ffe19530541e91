/*
 * drain_threads.c - a round's threads: their samples, clocks and periods
 */
#include "sampler/sampler_private.h"

#include "sampler/drain.h"
#include "threads/pending.h"
#include "threads/threads.h"

static void drain(struct cof_sampler *s, struct cof_thread *t)
{
	uint32_t pct = s->cof->opts.jitter_pct;
	uint64_t n = cof_drain_thread(s->cof, t, &s->cost);

	s->drained += n;
	if (t->gone) {
		cof_overhead_window_clock(s, t);
		cof_ladder_detach(t);
		cof_threads_drop(s->cof, t);
	} else if (n > 0) {
		if (t->window != s->window)
			cof_overhead_window_clock(s, t);
		if (pct > 0)
			cof_ladder_jitter(t, s->period_ns, pct);
		else if (t->period_ns != s->period_ns)
			cof_ladder_set_period(t, s->period_ns);
		t->period_ns = s->period_ns;
	}
}

static void drain_pending(struct cof_sampler *s)
{
	struct cof_thread *t = cof_pending_take(s->cof->threads), *next;

	for (; t; t = next) {
		next = cof_pending_next(t);
		drain(s, t);
	}
}

static void drain_all(struct cof_sampler *s)
{
	struct cof_thread *t = cof_pending_take(s->cof->threads), *next;

	while (t)
		t = cof_pending_next(t);
	for (t = s->cof->threads->list; t; t = next) {
		next = t->next;
		drain(s, t);
	}
}

void cof_sampler_drain(struct cof_sampler *s, bool all)
{
	if (all)
		drain_all(s);
	else
		drain_pending(s);
}
