/*
 * optimizer.c - the P/O thread
 *
 *	take forecasts -> picker -> workers
 *	workers -> prepare, install ... install, one barrier
 *	marks that expired, reclaim
 *	sleep until woken, or until one of these is due
 *
 * P/O alone frees records of versions (in cof_reclaim_round), so a pointer to
 * one that it got hold of stays good until it next calls that.
 */
#include "optimizer/optimizer.h"

#include "clock.h"
#include "instance.h"
#include "mem.h"
#include "optimizer/picker.h"
#include "optimizer/worker.h"
#include "patcher/patcher.h"
#include "patcher/reclaim.h"

#define MS_NS           UINT64_C(1000000)
#define IDLE_NS         (60000 * MS_NS)	/* all that matters wakes us */
#define RECLAIM_WAIT_NS (50 * MS_NS)	/* for running threads to answer */
#define PATIENCE_MAX    16u

struct cof_optimizer {
	struct cof_stage   stage;
	struct cof_workers workers;

	/* P/O's; the caller's of cof_optimizer_stop() once that is joined. */
	struct cof_picker  picker;
	uint64_t           reclaim_at_ns;	/* next round, if needed */
	uint64_t           generation;		/* as of the last turn */
	uint32_t           patience;		/* doubles while that stands */
};

/* A result that will not be used. */
static void discard(struct cof *cof, struct cof_build *b)
{
	if (cof->host.discard)
		cof->host.discard(cof->host.ctx, b->desc.data);
	if (b->desc.block.exec)
		cof_code_free(cof, &b->desc.block);
}

static bool take_forecasts(struct cof *cof, struct cof_optimizer *o)
{
	uint64_t w[COF_FORECAST_WORDS];
	bool any = false;

	cof_load_update(&o->picker.load, cof_workers_cpu_ns(&o->workers),
			cof->opts.workers);
	cof_count_set(&cof->flow->optimizer.cost_weight,
		      (uint64_t)(o->picker.load.weight * 1000));

	/* Pairs with PRE's release of pre_turns; what for: instance.h. */
	cof->forecasts_turn = atomic_load_explicit(&cof->pre_turns,
						   memory_order_acquire);
	while (cof_ring_pop(&cof->forecasts, w, COF_FORECAST_WORDS)) {
		struct cof_forecast f = cof_forecast_unpack(w);
		struct cof_build *b = cof_picker_look(cof, &o->picker, &f);

		any = true;
		if (!b)
			continue;
		if (cof_workers_put(&o->workers, b) != 0) {
			cof_picker_ended(&o->picker, b);
			cof_free_mem(b);
			cof_count_add(&cof->flow->optimizer.drop_NO_MEMORY, 1);
			continue;
		}
		cof_log(cof, "COF: OPT added %p", (void *)f.version->method);
	}
	return any;
}

/*
 * Weight and past go over to the new version, divided by the expected speed-up
 * (as in Jikes' RecompilationStrategy): the method is as hot as before, and
 * will collect fewer samples for it. Otherwise success would look like a new
 * phase.
 */
static void inherit(struct cof *cof, const struct cof_build *b,
		    const struct cof_version *over, struct cof_version *v)
{
	struct cof_word w = cof_word_read(&over->word);

	w.weight = (uint16_t)((double)w.weight / b->speedup);
	w.calls = 0;
	w.flags = 0;
	if (v->plan == COF_PLAN_COUNT - 1 && !cof->opts.stress)
		w.flags = COF_WORD_SETTLED;
	atomic_store_explicit(&v->word, cof_word_pack(w), memory_order_relaxed);
}

/* Returns whether the batch needs a barrier. */
static bool install(struct cof *cof, struct cof_optimizer *o,
		    struct cof_build *b, struct cof_version *over)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	struct cof_method *method = b->method;
	uintptr_t from = over ? over->entry : 0, to;
	struct cof_version *v;
	double past_ns = 0;
	uint64_t first_ns;
	int err;

	v = cof_patcher_prepare(method, &b->desc, &err);
	if (!v) {
		discard(cof, b);
		cof_picker_mark(cof, &o->picker, method, COF_IGNORE_DECLINED);
		return false;
	}
	if (over) {
		inherit(cof, b, over, v);
		past_ns = cof_picker_past_ns(cof, over) / b->speedup;
	}
	to = v->entry;
	/* Nothing to replace any more: no version is its own predecessor, so
	 * this makes the patcher count it as superseded. */
	if (!cof_patcher_install(v, over ? over : v, false)) {
		if (over && cof->opts.dry_run)
			cof_picker_mark(cof, &o->picker, method,
					COF_IGNORE_DRY_RUN);
		return false;
	}
	cof_log(cof, "patching.. %p -> %p", (void *)from, (void *)to);
	method->past_ns = past_ns;
	cof_ignore_forgive(method);
	first_ns = atomic_load_explicit(&cof->first_sample_ns,
					memory_order_relaxed);
	if (first_ns && cof_count_get(&flow->first_patch_ns) == 0)
		cof_count_set(&flow->first_patch_ns, cof_clock_ns() - first_ns);
	return true;
}

static bool finish(struct cof *cof, struct cof_optimizer *o,
		   struct cof_build *b)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	struct cof_version *over = cof_picker_ended(&o->picker, b);
	struct cof_method *method = b->method;
	bool patched = false;

	cof_count_add(&flow->gathered, b->gathered);
	cof_count_add(&flow->gather_ns, b->gather_ns);
	cof_count_add(&flow->build_ns, b->build_ns);
	cof_log(cof, "COF: Recompiling %p .... %s", (void *)method,
		b->end == COF_BUILD_DONE ? "recompiled!" : "declined");
	switch (b->end) {
	case COF_BUILD_NO_IR:
		cof_count_add(&flow->drop_NO_IR, 1);
		cof_picker_mark(cof, &o->picker, method, COF_IGNORE_NO_IR);
		break;
	case COF_BUILD_DECLINED:
		cof_count_add(&flow->drop_DECLINED, 1);
		cof_picker_mark(cof, &o->picker, method, COF_IGNORE_DECLINED);
		break;
	case COF_BUILD_DONE:
		cof_count_add(&flow->built, 1);
		cof_rates_learn(&o->picker.rates, b->plan, b->estimated_ns,
				b->build_ns);
		patched = install(cof, o, b, over);
		break;
	}
	cof_log(cof, "COF: OPT: %p dequeued", (void *)method);
	cof_free_mem(b);
	return patched;
}

static void finish_builds(struct cof *cof, struct cof_optimizer *o)
{
	struct cof_build *b = cof_workers_collect(&o->workers), *next;
	bool patched = false;

	for (; b; b = next) {
		next = b->next;
		patched |= finish(cof, o, b);
	}
	if (patched)
		cof_patcher_barrier(cof);
}

static void reclaim(struct cof *cof, struct cof_optimizer *o)
{
	if (!cof_reclaim_has_work(cof) ||
	    cof_clock_ns() < o->reclaim_at_ns)
		return;
	cof_reclaim_round(cof, RECLAIM_WAIT_NS);
	o->reclaim_at_ns = cof_clock_ns() + cof->opts.reclaim_ms * MS_NS;
}

/* Until the next round of reclaim or the next mark that expires. */
static uint64_t sleep_ns(struct cof *cof, struct cof_optimizer *o)
{
	uint64_t now = atomic_load_explicit(&cof->generation,
					    memory_order_relaxed);
	uint64_t expires = cof_ignored_next(&o->picker.ignored);
	uint64_t ns = IDLE_NS, due;

	if (now != o->generation)
		o->patience = 1;
	else if (o->patience < PATIENCE_MAX)
		o->patience *= 2;
	o->generation = now;
	if (expires != UINT64_MAX) {
		due = expires > now ? expires - now : 1;
		due *= cof->opts.generation_ms * MS_NS * o->patience;
		ns = due < ns ? due : ns;
	}
	if (cof_reclaim_has_work(cof)) {
		uint64_t t = cof_clock_ns();

		due = o->reclaim_at_ns > t ? o->reclaim_at_ns - t : 0;
		ns = due < ns ? due : ns;
	}
	return ns;
}

static void run(void *arg)
{
	struct cof *cof = arg;
	struct cof_optimizer *o = cof->optimizer;

	cof_assert_role(COF_ROLE_PICKER);
	do {
		finish_builds(cof, o);
		take_forecasts(cof, o);
		cof_picker_expire(cof, &o->picker);
		reclaim(cof, o);
		cof_count_set(&cof->flow->optimizer.picker_ns,
			      cof_clock_thread_ns());
	} while (cof_stage_sleep(&o->stage, sleep_ns(cof, o)));
}

int cof_optimizer_start(struct cof *cof)
{
	struct cof_optimizer *o = cof_alloc(sizeof(*o));

	if (!o)
		return -COF_E_NOMEM;
	cof_picker_init(&o->picker, &cof->opts);
	o->patience = 1;
	cof->optimizer = o;	/* before any thread looks */
	if (cof_workers_start(&o->workers, cof, cof_optimizer_wake) != 0)
		goto fail;
	if (cof_stage_start(&o->stage, "cof-optimizer", COF_ROLE_PICKER, run,
			    cof) != 0) {
		cof_workers_stop(&o->workers);
		cof_workers_free(&o->workers);
		goto fail;
	}
	return 0;
fail:
	cof_free_mem(o);
	cof->optimizer = NULL;
	return -COF_E_NOMEM;
}

/*
 * P/O first: it must not install while we take things down. Then whatever is
 * still on its way, at any stage of it, is dropped as STOPPED.
 */
void cof_optimizer_stop(struct cof *cof)
{
	struct cof_optimizer *o = cof->optimizer;
	cof_count *stopped = &cof->flow->optimizer.drop_STOPPED;
	uint64_t w[COF_FORECAST_WORDS];
	struct cof_build *b, *next;

	if (!o)
		return;
	__atomic_store_n(&o->workers.stop, 1, __ATOMIC_RELAXED);
	cof_stage_stop(&o->stage);
	cof_workers_stop(&o->workers);
	while ((b = cof_workers_withdraw(&o->workers))) {
		cof_picker_ended(&o->picker, b);
		cof_free_mem(b);
		cof_count_add(stopped, 1);
	}
	for (b = cof_workers_collect(&o->workers); b; b = next) {
		next = b->next;
		if (b->end == COF_BUILD_DONE)
			discard(cof, b);
		cof_picker_ended(&o->picker, b);
		cof_free_mem(b);
		cof_count_add(stopped, 1);
	}
	while (cof_ring_pop(&cof->forecasts, w, COF_FORECAST_WORDS)) {
		cof_count_add(&cof->flow->optimizer.taken, 1);
		cof_count_add(stopped, 1);
	}
}

void cof_optimizer_free(struct cof *cof)
{
	struct cof_optimizer *o = cof->optimizer;

	if (!o)
		return;
	cof_picker_free(&o->picker);
	cof_workers_free(&o->workers);
	cof_free_mem(o);
	cof->optimizer = NULL;
}

void cof_optimizer_wake(struct cof *cof)
{
	if (cof->optimizer)
		cof_stage_wake(&cof->optimizer->stage);
}
