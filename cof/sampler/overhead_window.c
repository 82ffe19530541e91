/*
 * overhead_window.c - once per window: the overhead of sampling, the new period
 */
#include "sampler/sampler_private.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cof.h"
#include "process/forked.h"
#include "process/process.h"
#include "sampler/drain.h"
#include "stats/stats_file.h"
#include "threads/threads.h"

/* What a sample stands for: a source of the kernel's tick delivers no more than
 * one in each, whatever it is asked for. */
static void show_period(struct cof_sampler *s)
{
	const struct cof_rung *top = s->ladder.top;
	uint64_t tick_ns = top && top->source->in_tick ? cof_clock_tick_ns() :
							 0;
	uint64_t ns = s->period_ns > tick_ns ? s->period_ns : tick_ns;

	cof_overhead_window_value(s);
	cof_count_set(&cof_sampler_flow(s)->period_ns, ns);
	if (s->taken == 0)
		cof_count_set(&cof_sampler_flow(s)->sample_ns, ns);
}

void cof_overhead_window_value(struct cof_sampler *s)
{
	struct cof_flow_sampler *flow = cof_sampler_flow(s);
	uint64_t taken = cof_count_get(&flow->taken);

	if (taken > s->taken)
		s->sampled_ns += (taken - s->taken) *
				 cof_count_get(&flow->period_ns);
	s->taken = taken;
	if (taken > 0)
		cof_count_set(&flow->sample_ns, s->sampled_ns / taken);
}

/* [threads lock] */
static void set_period(struct cof_sampler *s, uint64_t period_ns)
{
	if (period_ns == s->period_ns)
		return;
	if (period_ns > s->period_ns)
		cof_count_add(&cof_sampler_flow(s)->slowed, 1);
	s->period_ns = period_ns;
	show_period(s);
}

void cof_overhead_window_clock(struct cof_sampler *s, struct cof_thread *t)
{
	cof_count_add(&cof_sampler_flow(s)->guest_ns, cof_drain_cpu(t));
	t->window = s->window;
}

void cof_overhead_window_close(struct cof_sampler *s, bool all)
{
	for (struct cof_thread *t = all ? s->cof->threads->list : NULL; t;
	     t = t->next)
		cof_overhead_window_clock(s, t);
	s->window++;
	set_period(s, cof_cost_period(&s->cost, cof_sampler_flow(s),
				     &s->cof->opts, s->period_ns));
}

void cof_sampler_show_source(struct cof_sampler *s)
{
	struct cof_stats_file_header *h =
		s->cof->stats_file ? s->cof->stats_file->header : NULL;
	const char *name = s->ladder.top ? s->ladder.top->source->name :
					   "none";

	s->shown_bytes = strlen(s->ladder.why);
	show_period(s);
	if (!h)
		return;
	snprintf(h->source, sizeof(h->source), "%s", name);
	snprintf(h->source_why, sizeof(h->source_why), "%s", s->ladder.why);
}

void cof_overhead_window_check(struct cof_sampler *s, uint64_t now_ns)
{
	struct cof_flow_sampler *flow = cof_sampler_flow(s);

	if (now_ns - s->window_ns < COF_COST_WINDOW_NS)
		return;
	s->window_ns = now_ns;
	pthread_mutex_lock(&s->cof->threads->lock);
	cof_overhead_window_close(
		s, cof_count_get(&s->cof->flow->threads.unsampled) > 0);
	if (strlen(s->ladder.why) != s->shown_bytes)	/* a spare was opened */
		cof_sampler_show_source(s);
	pthread_mutex_unlock(&s->cof->threads->lock);
	cof_count_set(&flow->chained, cof_process_signal_chained());
	if (s->signalled &&
	    cof_process_signal_check((int)s->cof->opts.signal))
		cof_count_add(&flow->stolen, 1);
	if (!s->reclaim_off && s->cof->reclaim && cof_forked_child_shares()) {
		s->reclaim_off = true;
		cof_reclaim_disable(s->cof,
				    "a forked child shares code memory");
	}
}
