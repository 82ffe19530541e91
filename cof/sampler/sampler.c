/*
 * sampler.c - SAM: the thread shell around rings, sources and budget
 *
 * A round:
 *
 *	under the threads lock, for each thread
 *		drain its ring and its source, credit each sample
 *		it gave some: jitter its period
 *		it is gone: free it
 *	samples of no thread (replay)
 *	turn: no pointer to a version is held any more
 *	once per window: cost, budget, period; is the signal still ours?
 */
#include "sampler.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "cof.h"
#include "cost.h"
#include "drain.h"
#include "handler.h"
#include "instance.h"
#include "jitinfo.h"
#include "ladder.h"
#include "mem.h"
#include "predictor/predictor.h"
#include "process.h"
#include "share.h"
#include "threads.h"
#include "timer.h"
#include "unwind.h"

#define BACKOFF_MAX 16u		/* times drain_ms, while no samples come */
#define SLEEP_MAX_NS 400000000u	/* a ring holds 0.6 s of samples */
#define RING_LG_MAX 20u

struct cof_sampler {
	struct cof       *cof;
	struct cof_stage  stage;
	struct cof_ladder ladder;	/* threads lock */
	bool              signalled;	/* threads lock: the handler is
					 * installed; constant while running */
	bool              running;	/* threads lock: SAM drains, and sources
					 * are open */
	uint64_t          period_ns;	/* threads lock */
	size_t            shown;	/* bytes of ladder.why in the stats */

	/* SAM's. */
	uint64_t          backoff;	/* 1..BACKOFF_MAX */
	uint64_t          drained;	/* samples seen in this round */
	uint64_t          window_ns;	/* when the window began */
	uint64_t          credited;	/* samples of versions before the round */
	uint64_t          credited_ns;	/* the last round that gave some */
	bool              told;		/* a child shares code memory */
	struct cof_cost   cost;
};

static struct cof_flow_sampler *flow_of(struct cof_sampler *s)
{
	return &s->cof->flow->sampler;
}

/* -- A thread -------------------------------------------------------------- */

/* [threads lock] */
static void drain_all(struct cof_sampler *s)
{
	struct cof_thread **at = &s->cof->threads->list, *t;
	uint32_t pct = s->cof->opts.jitter_pct;
	uint64_t n;

	while ((t = *at) != NULL) {
		n = cof_drain_thread(s->cof, t, &s->cost);
		s->drained += n;
		if (t->gone) {
			cof_count_add(&flow_of(s)->guest_ns, cof_drain_cpu(t));
			cof_ladder_detach(t);
			cof_threads_drop(s->cof, at);
			continue;
		}
		if (n > 0 && pct > 0)
			cof_ladder_jitter(t, s->period_ns, pct);
		at = &t->next;
	}
}

/* -- The budget ------------------------------------------------------------ */

/* [threads lock] */
static void set_period(struct cof_sampler *s, uint64_t period_ns)
{
	if (period_ns == s->period_ns)
		return;
	if (period_ns > s->period_ns)
		cof_count_add(&flow_of(s)->slowed, 1);
	s->period_ns = period_ns;
	cof_count_set(&flow_of(s)->period_ns, period_ns);
	for (struct cof_thread *t = s->cof->threads->list; t; t = t->next)
		if (!t->gone)
			cof_ladder_set_period(t, period_ns);
}

/* [threads lock] */
static void judge(struct cof_sampler *s)
{
	for (struct cof_thread *t = s->cof->threads->list; t; t = t->next)
		cof_count_add(&flow_of(s)->guest_ns, cof_drain_cpu(t));
	set_period(s, cof_cost_judge(&s->cost, flow_of(s), &s->cof->opts,
				     s->period_ns));
}

/* What cof-stats says about the source. */
static void show_source(struct cof_sampler *s)
{
	struct cof_share_header *h = s->cof->share ? s->cof->share->header :
						     NULL;
	const char *name = s->ladder.top ? s->ladder.top->source->name :
					   "none";

	s->shown = strlen(s->ladder.why);
	if (!h)
		return;
	snprintf(h->source, sizeof(h->source), "%s", name);
	snprintf(h->source_why, sizeof(h->source_why), "%s", s->ladder.why);
}

static void window(struct cof_sampler *s, uint64_t now)
{
	struct cof_flow_sampler *flow = flow_of(s);

	if (now - s->window_ns < COF_COST_WINDOW_NS)
		return;
	s->window_ns = now;
	pthread_mutex_lock(&s->cof->threads->lock);
	judge(s);
	if (strlen(s->ladder.why) != s->shown)	/* a thread needed a spare */
		show_source(s);
	pthread_mutex_unlock(&s->cof->threads->lock);
	cof_count_set(&flow->chained, cof_process_signal_chained());
	if (s->signalled &&
	    cof_process_signal_check((int)s->cof->opts.signal))
		cof_count_add(&flow->stolen, 1);
	if (!s->told && s->cof->reclaim && cof_process_child_shares()) {
		s->told = true;
		cof_reclaim_disable(s->cof, "a forked child shares code memory");
	}
}

/* -- The thread ------------------------------------------------------------ */

static void read_all(struct cof_sampler *s)
{
	struct cof_flow_sampler *flow = flow_of(s);
	uint64_t before = cof_count_get(&flow->taken);
	struct cof_rung *top = s->ladder.top;

	if (top && top->source->read_all)
		top->source->read_all(top->own, cof_drain_sink, s->cof);
	s->drained += cof_count_get(&flow->taken) - before;
}

/*
 * PRE sleeps long when no version is touched for a while. If one is again after
 * a generation without, tell PRE; else it knows.
 */
static void wake_predictor(struct cof_sampler *s, uint64_t now)
{
	uint64_t credited = cof_count_get(&flow_of(s)->counted);

	if (credited == s->credited)
		return;
	if (now - s->credited_ns > s->cof->opts.generation_ms * 1000000ull)
		cof_predictor_wake(s->cof);
	s->credited = credited;
	s->credited_ns = now;
}

static void round_of(struct cof_sampler *s)
{
	struct cof *cof = s->cof;
	uint64_t now;

	cof_assert_role(COF_ROLE_SAMPLER);
	s->drained = 0;
	pthread_mutex_lock(&cof->threads->lock);
	drain_all(s);
	pthread_mutex_unlock(&cof->threads->lock);
	read_all(s);
	now = cof_clock_ns();
	if (s->drained > 0 &&
	    atomic_load_explicit(&cof->first_sample_ns,
				 memory_order_relaxed) == 0)
		atomic_store_explicit(&cof->first_sample_ns, now,
				      memory_order_relaxed);
	wake_predictor(s, now);

	/* Barriers as in instance.h, at sam_turns. */
	cof_jitinfo_reader_quiet();					/* B */
	atomic_fetch_add_explicit(&cof->sam_turns, 1,
				  memory_order_release);		/* C */
	window(s, now);
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The rounds follow the samples: rarer when the budget made these rarer, but
 * twice in a generation; and rarer still while there are none.
 */
static uint64_t sleep_ns(struct cof_sampler *s)
{
	const struct cof_opts *o = &s->cof->opts;
	uint64_t base = o->drain_ms * 1000000ull, ns;
	uint64_t slower = s->period_ns / cof_cost_asked_ns(o);

	if (s->drained > 0) {
		s->backoff = 1;
		ns = at_most(base * at_most(slower, BACKOFF_MAX),
			     o->generation_ms * 1000000ull / 2);
	} else {
		s->backoff = at_most(2 * s->backoff, BACKOFF_MAX);
		ns = base * s->backoff;
	}
	ns = at_most(ns, SLEEP_MAX_NS);
	return ns > base ? ns : base;
}

static void run(void *arg)
{
	struct cof_sampler *s = arg;

	cof_jitinfo_reader_enter();
	do
		round_of(s);
	while (cof_stage_sleep(&s->stage, sleep_ns(s)));
	cof_jitinfo_reader_leave();

	/* The books of a run that was shorter than a window. */
	pthread_mutex_lock(&s->cof->threads->lock);
	judge(s);
	pthread_mutex_unlock(&s->cof->threads->lock);
}

/* -- Life ------------------------------------------------------------------ */

/* Was something asked for by name that cannot be had? */
static bool disappointed(const struct cof_sampler *s)
{
	const struct cof_opts *o = &s->cof->opts;

	return !s->ladder.top &&
	       (o->source == COF_SOURCE_REPLAY ||
		(o->event[0] && (o->source == COF_SOURCE_AUTO ||
				 o->source == COF_SOURCE_PERF)));
}

static int open_source(struct cof_sampler *s, char *why)
{
	const struct cof_source *source[COF_LADDER_RUNGS];
	const struct cof_opts *o = &s->cof->opts;
	uint32_t n = cof_ladder_choose(o, source);

	if (o->stack_depth > 0)
		cof_unwind_open();
	/* Also where no source signals: reclaim's pokes do. */
	s->signalled = cof_process_signal_install((int)o->signal,
						  cof_handler) == 0;
	cof_ladder_open(&s->ladder, s->cof, source, n, s->signalled);
	show_source(s);
	if (!disappointed(s)) {
		cof_log(s->cof, "sampler: %s", s->ladder.why);
		return 0;
	}
	if (why)
		snprintf(why, COF_WHY_BYTES, "%.*s", (int)COF_WHY_BYTES - 1,
			 s->ladder.why);
	return -COF_E_INVAL;
}

/* Nobody attaches or pokes any more. */
static void close_source(struct cof_sampler *s)
{
	cof_ladder_close(&s->ladder);
	if (s->signalled)
		cof_process_signal_remove((int)s->cof->opts.signal);
}

/* From now on threads are attached to it, and P/O may poke them. */
static void publish(struct cof *cof, struct cof_sampler *s)
{
	pthread_mutex_lock(&cof->threads->lock);
	s->running = true;
	cof->sampler = s;
	pthread_mutex_unlock(&cof->threads->lock);
}

int cof_sampler_start(struct cof *cof, char *why)
{
	struct cof_sampler *s = cof_alloc(sizeof(*s));
	int err;

	if (!s) {
		if (why)
			snprintf(why, COF_WHY_BYTES, "no memory for SAM");
		return -COF_E_NOMEM;
	}
	s->cof = cof;
	s->period_ns = cof_cost_asked_ns(&cof->opts);
	s->backoff = 1;
	s->window_ns = s->credited_ns = cof_clock_ns();
	cof_cost_init(&s->cost);
	err = open_source(s, why);
	if (err == 0) {
		cof_count_set(&flow_of(s)->period_ns, s->period_ns);
		err = cof_stage_start(&s->stage, "cof-sam", COF_ROLE_SAMPLER,
				      run, s);
		if (err == 0) {
			publish(cof, s);
			return 0;
		}
		if (why)
			snprintf(why, COF_WHY_BYTES, "no thread for SAM");
	}
	close_source(s);
	cof_free_mem(s);
	return err;
}

/* [threads lock] In a fork's child there is no SAM, and no timer. */
static bool is_running(const struct cof_sampler *s)
{
	return s->running && s->stage.forks == cof_process_forks();
}

/* [threads lock] */
static void end_poke(struct cof_thread *t)
{
	if (t->has_poke)
		timer_delete(t->poke);
	t->has_poke = false;
}

/* After SAM has gone, play its part once more: nothing taken is left behind. */
static void last_drain(struct cof_sampler *s)
{
	struct cof *cof = s->cof;
	enum cof_role before = cof_role;

	cof_role = COF_ROLE_SAMPLER;
	cof_jitinfo_reader_enter();
	pthread_mutex_lock(&cof->threads->lock);
	/* What signals is stopped first, what is read is read first. */
	for (struct cof_thread *t = cof->threads->list; t; t = t->next) {
		if (t->rung && !t->rung->source->read)
			cof_ladder_detach(t);
		end_poke(t);
	}
	cof_threads_hush(cof->threads);
	drain_all(s);
	for (struct cof_thread *t = cof->threads->list; t; t = t->next)
		cof_ladder_detach(t);
	s->running = false;
	pthread_mutex_unlock(&cof->threads->lock);
	cof_jitinfo_reader_leave();
	cof_role = before;
}

/*
 * A handler that did not end in time may still add to its ring: that is not
 * taken, and not counted.
 */
void cof_sampler_stop(struct cof *cof)
{
	struct cof_sampler *s = cof->sampler;
	bool runs;

	if (!s)
		return;
	pthread_mutex_lock(&cof->threads->lock);
	runs = is_running(s);
	pthread_mutex_unlock(&cof->threads->lock);
	if (!runs)
		return;
	cof_stage_stop(&s->stage);
	last_drain(s);
	close_source(s);
}

bool cof_sampler_quiet(struct cof *cof)
{
	bool quiet;

	if (!cof->threads)
		return true;
	pthread_mutex_lock(&cof->threads->lock);
	quiet = cof_threads_hush(cof->threads);
	pthread_mutex_unlock(&cof->threads->lock);
	return quiet;
}

void cof_sampler_free(struct cof *cof)
{
	cof_free_mem(cof->sampler);
	cof->sampler = NULL;
}

void cof_sampler_wake(struct cof *cof)
{
	if (cof->sampler)
		cof_stage_wake(&cof->sampler->stage);
}

/* -- Guest threads come and go --------------------------------------------- */

uint64_t cof_sampler_ring_words(const struct cof *cof)
{
	const struct cof_opts *o = &cof->opts;
	uint64_t need = o->sample_hz * 6ull / 10 * (2 + o->stack_depth);
	uint32_t lg = o->ring_lg;

	if (!cof->sampler)
		return 2;	/* mode off: never used */
	while (lg < RING_LG_MAX && (1ull << lg) < need)
		lg++;
	return 1ull << lg;
}

void cof_sampler_attach(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;

	if (!s || !is_running(s))
		return;
	/* Only this thread and its handler look: no order is needed. */
	atomic_store_explicit(&t->live, cof, memory_order_relaxed);
	if (cof_ladder_attach(&s->ladder, t, s->period_ns))
		return;
	t->unsampled = true;
	cof_count_add_shared(&cof->flow->threads.unsampled, 1);
}

bool cof_sampler_detach(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;
	bool running = s && is_running(s);

	if (t->unsampled)
		cof_count_add_shared(&cof->flow->threads.unsampled,
				     -(uint64_t)1);
	t->unsampled = false;
	/* A source that SAM reads still holds samples; SAM ends it. */
	if (!running || (t->rung && !t->rung->source->read))
		cof_ladder_detach(t);
	end_poke(t);
	return running;
}

int cof_sampler_poke(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;

	if (!s || !s->signalled || !is_running(s))
		return -COF_E_PERM;
	if (!t->has_poke &&
	    cof_timer_make((int)cof->opts.signal, t->tid, COF_COOKIE_POKE,
			   &t->poke) != 0)
		return -COF_E_PERM;
	t->has_poke = true;
	cof_timer_arm(t->poke, 1, 0);
	return 0;
}
