/*
 * sampler.c - SAM: the thread shell around rings, sources and budget
 *
 * A round:
 *
 *	under the threads lock, for each thread that has something
 *		(threads/pending.h), or each if there are sources to be read
 *		drain its ring and its source, credit each sample
 *		if it had samples: jitter its period
 *		if it is gone: free it
 *	read the samples of no thread (replay)
 *	ask the host about samples in no version (locate())
 *	count the turn: SAM holds no pointer to a version any more
 *	once per window: cost, budget, period; is the signal still libcof's?
 */
#include "sampler/sampler_private.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "code/jitinfo.h"
#include "memory/mem.h"
#include "process/exit_request.h"
#include "process/forked.h"
#include "process/left.h"
#include "process/process.h"
#include "sampler/child_start.h"
#include "sampler/credit.h"
#include "sampler/drain.h"
#include "sampler/handler.h"
#include "threads/poke.h"
#include "threads/threads.h"
#include "threads/unwind.h"

#define BACKOFF_MAX 16u		/* times drain_ms, while no samples come */
#define SLEEP_MAX_NS 400000000u	/* a ring holds 0.6 s of samples */

/* -- SAM's thread ---------------------------------------------------------- */

static void read_all(struct cof_sampler *s)
{
	struct cof_flow_sampler *flow = cof_sampler_flow(s);
	uint64_t before = cof_count_get(&flow->taken) + s->cof->unknown.n;
	struct cof_rung *top = s->ladder.top;

	if (top && top->source->read_all)
		top->source->read_all(top->own, cof_drain_sink, s->cof);
	s->drained += cof_count_get(&flow->taken) + s->cof->unknown.n - before;
}

/*
 * PRE sleeps long while no version is touched. Wake it if one is touched after
 * a generation without any. In mode pgo there is none, and P/O takes what is in
 * the ring.
 */
static void wake_predictor(struct cof_sampler *s, uint64_t now)
{
	uint64_t credited = cof_count_get(&cof_sampler_flow(s)->counted);

	if (s->cof->opts.mode == COF_MODE_PGO &&
	    !cof_ring_is_empty(&s->cof->touched))
		cof_stage_wake(s->cof->wake.optimizer);
	if (credited == s->credited)
		return;
	if (now - s->credited_ns > s->cof->opts.generation_ms * 1000000ull)
		cof_stage_wake(s->cof->wake.predictor);
	s->credited = credited;
	s->credited_ns = now;
}

static void round_of(struct cof_sampler *s, uint64_t now_ns)
{
	struct cof *cof = s->cof;

	cof_assert_role(COF_ROLE_SAMPLER);
	s->drained = 0;
	pthread_mutex_lock(&cof->threads->lock);
	cof_sampler_drain(s, cof_ladder_reads(&s->ladder));
	pthread_mutex_unlock(&cof->threads->lock);
	read_all(s);
	cof_credit_unknown(cof, &s->stage);
	cof_overhead_window_value(s);
	if (s->drained > 0 &&
	    atomic_load_explicit(&cof->first_sample_ns,
				 memory_order_relaxed) == 0)
		atomic_store_explicit(&cof->first_sample_ns, now_ns,
				      memory_order_relaxed);
	wake_predictor(s, now_ns);

	/* Barriers as in instance.h, at sam_turns. */
	cof_jitinfo_reader_quiet();					/* B */
	atomic_fetch_add_explicit(&cof->sam_turns, 1,
				  memory_order_release);		/* C */
	cof_overhead_window_check(s, now_ns);
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The rounds follow the samples: SAM sleeps longer if the budget made samples
 * rarer, but wakes twice per generation. It sleeps longest while none come.
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

static uint64_t step(struct cof_sampler *s, uint64_t now_ns)
{
	round_of(s, now_ns);
	return sleep_ns(s);
}

uint64_t cof_sampler_step(struct cof *cof, uint64_t now_ns)
{
	return step(cof->sampler, now_ns);
}

static void sample(struct cof_sampler *s)
{
	uint64_t ns;

	if (!cof_has_begun(s->cof) && !cof_sampler_await_start(s))
		return;
	cof_jitinfo_reader_enter();
	do {
		ns = step(s, cof_clock_ns());
		cof_left_check(s->cof, s->hooks ? s->hooks->left : NULL);
	} while (cof_stage_sleep(&s->stage, ns));
	/* At an exit; otherwise cof_sampler_stop() drains. */
	if (cof_exit_request_is_asked(&s->cof->exit_request))
		round_of(s, cof_clock_ns());
	cof_jitinfo_reader_leave();

	/* For a run that was shorter than a window. */
	pthread_mutex_lock(&s->cof->threads->lock);
	cof_overhead_window_close(s, true);
	pthread_mutex_unlock(&s->cof->threads->lock);
}

static void run(void *arg)
{
	struct cof_sampler *s = arg;

	sample(s);
	if (s->hooks && s->hooks->ended)
		s->hooks->ended(s->cof);
}

/* -- Life ------------------------------------------------------------------ */

/* Was a source asked for by name that did not open? */
static bool lacks_source(const struct cof_sampler *s)
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
	uint32_t n = s->silent ? 0 : cof_ladder_choose(o, source);

	if (!s->silent && s->cof->stepped_source) {
		source[0] = s->cof->stepped_source;
		n = 1;
	}
	if (o->stack_depth > 0)
		cof_unwind_open();
	/* Also if no source signals: reclaim's pokes need the handler. */
	s->signalled = cof_process_signal_install((int)o->signal,
						  cof_handler) == 0;
	cof_ladder_open(&s->ladder, s->cof, source, n, s->signalled);
	if (s->silent)
		snprintf(s->ladder.why, sizeof(s->ladder.why),
			 "none: mode pgo does not sample");
	cof_sampler_show_source(s);
	if (s->silent || !lacks_source(s)) {
		cof_log(s->cof, "COF: SAM chose its source: %s",
			s->ladder.why);
		return 0;
	}
	if (why)
		snprintf(why, COF_WHY_BYTES, "%.*s", (int)COF_WHY_BYTES - 1,
			 s->ladder.why);
	return -COF_E_INVAL;
}

/* No thread attaches or pokes any more. */
static void close_source(struct cof_sampler *s)
{
	cof_ladder_close(&s->ladder);
	if (s->signalled)
		cof_process_signal_remove((int)s->cof->opts.signal);
}

/* [threads lock] A fork's child: t attached before there was this SAM. What its
 * ring holds is the parent's. */
static void adopt(struct cof_sampler *s, struct cof_thread *t)
{
	uint64_t pc;

	cof_child_start_end(t);
	while (cof_ring_pop(&t->ring, &pc, 1) > 0)
		;
	t->seen_full = cof_count_get(&t->ring_full);
	t->seen_frames = cof_count_get(&t->frames);
	t->seen_tsc = cof_count_get(&t->handler_tsc);
	t->seen_cpu_ns = cof_clock_read(cof_clock_of_thread(t->tid));
	atomic_store(&t->live, s->cof);
	if (!s->silent && !s->delayed)
		cof_sampler_begin_thread(s, t);
}

/* After SAM has ended, do its last round: no sample is left in a ring. */
static void last_drain(struct cof_sampler *s)
{
	struct cof *cof = s->cof;
	enum cof_role before = cof_role;

	cof_role = COF_ROLE_SAMPLER;
	cof_jitinfo_reader_enter();
	pthread_mutex_lock(&cof->threads->lock);
	/* Stop sources that signal first; read those that SAM reads first. */
	for (struct cof_thread *t = cof->threads->list; t; t = t->next) {
		if (t->rung && !t->rung->source->read)
			cof_ladder_detach(t);
		cof_poke_end(t);
	}
	cof_threads_quiesce(cof->threads);
	cof_sampler_drain(s, true);
	for (struct cof_thread *t = cof->threads->list; t; t = t->next)
		cof_ladder_detach(t);
	s->running = false;
	cof->threads->poke_signal = 0;
	pthread_mutex_unlock(&cof->threads->lock);
	cof_credit_unknown(cof, NULL);
	cof_jitinfo_reader_leave();
	cof_role = before;
}

/* From now on threads attach to the sources, and P/O may poke them. SAM's
 * thread starts after this: what it finds in the list has been adopted. */
static void publish(struct cof *cof, struct cof_sampler *s)
{
	pthread_mutex_lock(&cof->threads->lock);
	for (struct cof_thread *t = cof->threads->list; t; t = t->next)
		adopt(s, t);
	s->running = true;
	cof->sampler = s;
	cof->threads->poke_signal = s->signalled ? (int)cof->opts.signal : 0;
	cof->wake.sampler = &s->stage;
	pthread_mutex_unlock(&cof->threads->lock);
}

/* There is no thread for it after all. A fork's child has the parent's one
 * again, which is no thread's here. */
static void withdraw(struct cof *cof, struct cof_sampler *s,
		     struct cof_sampler *before)
{
	last_drain(s);
	pthread_mutex_lock(&cof->threads->lock);
	cof->sampler = before;
	cof->wake.sampler = before ? &before->stage : NULL;
	pthread_mutex_unlock(&cof->threads->lock);
}

int cof_sampler_start(struct cof *cof, const struct cof_sampler_hooks *hooks,
		      char *why)
{
	struct cof_sampler *s = cof_mem_alloc(sizeof(*s));
	struct cof_sampler *before = cof->sampler;
	int err;

	if (!s) {
		if (why)
			snprintf(why, COF_WHY_BYTES, "no memory for SAM");
		return -COF_E_NOMEM;
	}
	s->cof = cof;
	s->hooks = hooks;
	s->silent = cof_takes_compiled(cof);
	s->delayed = !cof_has_begun(cof);
	cof_stage_init(&s->stage, "cof-sam", COF_ROLE_SAMPLER, run, s);
	s->stage.forks = cof_forked_count();
	s->period_ns = cof_cost_asked_ns(&cof->opts);
	s->backoff = 1;
	s->window_ns = s->credited_ns = cof_clock_ns();
	s->window = 1;
	cof_cost_init(&s->cost);
	err = open_source(s, why);
	if (err == 0) {
		publish(cof, s);
		if (!s->silent && !cof->stepped)
			err = cof_stage_start(&s->stage);
		if (err == 0)
			return 0;
		withdraw(cof, s, before);
		if (why)
			snprintf(why, COF_WHY_BYTES, "no thread for SAM");
	}
	close_source(s);
	cof_mem_free(s);
	return err;
}

/*
 * A handler that did not end in time may still add to its ring. Such samples
 * are not taken and not counted.
 */
void cof_sampler_stop(struct cof *cof)
{
	struct cof_sampler *s = cof->sampler;
	bool runs;

	if (!s)
		return;
	pthread_mutex_lock(&cof->threads->lock);
	runs = cof_sampler_is_running(s);
	pthread_mutex_unlock(&cof->threads->lock);
	if (!runs)
		return;
	cof_stage_stop(&s->stage);
	last_drain(s);
	close_source(s);
}

bool cof_sampler_ask(struct cof *cof)
{
	if (!cof->sampler || cof->sampler->silent)
		return false;
	cof_stage_ask(&cof->sampler->stage);
	return true;
}

bool cof_sampler_quiet(struct cof *cof)
{
	bool quiet;

	if (!cof->threads)
		return true;
	pthread_mutex_lock(&cof->threads->lock);
	quiet = cof_threads_quiesce(cof->threads);
	pthread_mutex_unlock(&cof->threads->lock);
	return quiet;
}

void cof_sampler_free(struct cof *cof)
{
	cof_mem_free(cof->sampler);
	cof->sampler = NULL;
	cof->wake.sampler = NULL;
}
