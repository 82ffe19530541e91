/*
 * optimizer.c - the P/O thread
 *
 *	a phase that returned: bring back the versions it had
 *	results of the workers: prepare, install
 *	methods that count: poll; if full, back to faster code
 *	one barrier for all of these
 *	forecasts, methods just compiled, known hot ones, units -> workers
 *	trials, expired marks, reclaim; release idle memory
 *	sleep until woken, or until one of these is due
 *
 * In mode pgo there is no PRE, so P/O turns the generations itself.
 *
 * Only P/O frees records of versions, in cof_reclaim_round(). So its pointer to
 * a version is valid until it calls that function again.
 */
#include "optimizer/optimizer.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"
#include "history/history.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/unproven.h"
#include "optimizer/build/worker.h"
#include "optimizer/build_result.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/finish.h"
#include "optimizer/instrumented/instrumented.h"
#include "optimizer/new_methods.h"
#include "optimizer/osr/osr.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/policy/cached_versions.h"
#include "optimizer/policy/co_instrument.h"
#include "optimizer/policy/idle_release.h"
#include "optimizer/policy/known_pick.h"
#include "optimizer/policy/picker.h"
#include "optimizer/policy/reprofile.h"
#include "optimizer/policy/unit_build.h"
#include "optimizer/trial/audit.h"
#include "options/tuning.h"
#include "process/barrier.h"
#include "process/forked.h"
#include "process/left.h"
#include "process/process.h"
#include "reclaim/reclaim.h"
#include "stats/stats_file.h"

#define IDLE_NS         (60 * COF_S_NS)	/* every event wakes P/O */
#define RECLAIM_WAIT_NS (50 * COF_MS_NS)	/* for threads to answer */

struct cof_optimizer {
	struct cof_stage         stage;
	struct cof_workers       workers;
	struct cof_new_methods   new_methods;	/* mode pgo */
	uint64_t                 start_ns;	/* constant; mode pgo's clock */

	/* P/O's; once it is joined, the caller's of cof_optimizer_stop(). */
	struct cof_picker        picker;
	struct cof_osr           osr;
	struct cof_idle_release  idle_release;
	uint64_t                 generation;	/* as of the last turn */
	uint32_t                 patience;	/* doubles while generation
						 * stands still */
	bool                     told;		/* reclaim: a forked child
						 * shares code memory */
};

/* Mode pgo: the small duties that PRE and SAM have in the other modes. */
static void turn_generation(struct cof *cof, struct cof_optimizer *o,
			    uint64_t now_ns)
{
	if (cof->opts.mode != COF_MODE_PGO)
		return;
	atomic_store_explicit(&cof->generation, (now_ns - o->start_ns) /
			      (cof->opts.generation_ms * COF_MS_NS),
			      memory_order_relaxed);
	__atomic_store_n(&cof->stats_file->header->updated_ns, now_ns,
			 __ATOMIC_RELAXED);
	if (!o->told && cof_forked_child_shares()) {
		o->told = true;
		cof_reclaim_disable(cof, "a forked child shares code memory");
	}
}

static void queue(struct cof *cof, struct cof_optimizer *o,
		  struct cof_build *b)
{
	const bool counting = b->kind == COF_BUILD_INSTRUMENTED;

	/* Count first: once queued, the build may be done and freed. */
	if (counting) {
		cof_count_add(&cof->flow->optimizer.profiled, 1);
		cof_count_add(&cof->flow->profile.picked, 1);
		cof_count_add(&cof->flow->profile.reprofiled,
			      b->method->profile->collected);
	}
	cof_log(cof, "COF: P/O queues a build of %s", b->method->name);
	cof_unproven_queued(cof, b);
	if (cof_workers_put(&o->workers, b) != 0)
		cof_build_result_unqueued(cof, &o->picker, b);
}

/* The methods that are to count along with one that was just picked. */
static void queue_co_instrumented(struct cof *cof, struct cof_optimizer *o)
{
	struct cof_build *b = cof_co_instrument_of(cof, &o->picker), *next;

	for (; b; b = next) {
		next = b->next;
		b->next = NULL;
		queue(cof, o, b);
	}
}

static void update_machine_load(struct cof *cof, struct cof_optimizer *o)
{
	cof_machine_load_update(cof, &o->picker.load,
				cof_workers_cpu_ns(&o->workers));
	o->picker.cost_weight =
		o->picker.load.weight * cof->opts.cost_pct / 100;
	cof_count_set(&cof->flow->optimizer.cost_weight,
		      (uint64_t)(o->picker.load.weight * 1000));
}

static void take_forecasts(struct cof *cof, struct cof_optimizer *o)
{
	uint64_t w[COF_FORECAST_WORDS];

	/* Pairs with PRE's release of pre_turns; instance.h says why. */
	cof->forecasts_turn = atomic_load_explicit(&cof->pre_turns,
						   memory_order_acquire);
	while (cof_ring_pop(&cof->forecasts, w, COF_FORECAST_WORDS)) {
		struct cof_forecast f = cof_forecast_unpack(w);
		struct cof_build *b = cof_picker_look(cof, &o->picker, &f);

		cof_osr_hot(cof, f.version);
		if (b && b->kind == COF_BUILD_INSTRUMENTED)
			queue_co_instrumented(cof, o);
		if (b)
			queue(cof, o, b);
	}
}

static void take_new(struct cof *cof, struct cof_optimizer *o)
{
	struct cof_build *b;

	while ((b = cof_new_methods_next(cof, &o->new_methods, &o->picker)))
		queue(cof, o, b);
}

/* Methods that an earlier run found hot. The versions that the host cached of
 * them are installed at once, as one unit with one trial. */
static void take_known(struct cof *cof, struct cof_optimizer *o)
{
	struct cof_history_known known;
	struct cof_build *b;
	bool patched = false;
	uint32_t unit = 0;
	unsigned drift_permille;

	while (cof_history_next(cof, &known)) {
		b = cof_known_pick(cof, &o->picker, &known);
		if (b && b->cached) {
			if (b->kind == COF_BUILD_PROFILED && unit == 0)
				unit = ++o->picker.units;
			b->unit = b->kind == COF_BUILD_PROFILED ? unit : 0;
			drift_permille = b->desc.drift_permille;
			patched |= cof_build_result_take(cof, &o->picker, b);
			cof_cached_versions_renew(cof, &o->picker, &known,
						  drift_permille);
		} else if (b) {
			queue(cof, o, b);
		}
	}
	if (patched)
		cof_barrier(cof);
	cof_history_settled(cof);
}

static void take_units_and_continuations(struct cof *cof,
					 struct cof_optimizer *o)
{
	struct cof_build *b;

	while ((b = cof_osr_turn(cof, &o->osr)) ||
	       (b = cof_unit_build_next(cof, &o->picker))) {
		if (b->collects)
			cof_instrumented_enter(cof, &o->picker.profiles,
					       b->method->profile,
					       COF_PROFILE_BUILDING);
		queue(cof, o, b);
	}
}

static void patch(struct cof *cof, struct cof_optimizer *o)
{
	/* Before the installs: a new version belongs to the present phase. */
	bool patched = cof_phase_reuse_turn(cof);
	struct cof_build *b = cof_workers_collect(&o->workers), *next;

	for (; b; b = next) {
		next = b->next;
		patched |= cof_build_result_take(cof, &o->picker, b);
	}
	patched |= cof_instrumented_poll(cof, &o->picker.profiles);
	patched |= cof_instrumented_phase(cof, &o->picker.profiles);
	if (patched)
		cof_barrier(cof);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Until the next reclaim round, poll of counts, or mark that expires. */
static uint64_t sleep_ns(struct cof *cof, struct cof_optimizer *o)
{
	uint64_t now = cof_generation_now(cof);
	uint64_t expires = cof_backoffs_next(&o->picker.backed_off);
	uint64_t look_ns, now_ns = cof_clock_ns();
	uint64_t ns = least(IDLE_NS, cof_audit_due_ns(cof));

	ns = least(ns, cof_history_due_ns(cof));
	ns = least(ns, cof_osr_due_ns(&o->osr));
	if (cof->host.release_idle)
		ns = least(ns, cof_idle_release_wait(&o->idle_release,
				cof_workers_quiet_ns(&o->workers), now_ns));
	if (now != o->generation)
		o->patience = 1;
	else if (o->patience < COF_TUNE(optimizer_wait_most))
		o->patience *= 2;
	o->generation = now;
	look_ns = cof->opts.generation_ms * COF_MS_NS * o->patience;
	if (expires != UINT64_MAX)
		ns = least(ns, (expires > now ? expires - now : 1) * look_ns);
	if (o->picker.profiles.counting > 0 || o->picker.profiles.full > 0 ||
	    o->osr.frames.n > 0 || cof_history_has_later(cof))
		ns = least(ns, look_ns);
	if (o->picker.profiles.counting > 0 && cof_unproven_counts_little(cof))
		ns = least(ns, cof->opts.drain_ms * COF_MS_NS);
	return least(ns, cof_reclaim_due_ns(cof));
}

uint64_t cof_optimizer_step(struct cof *cof, uint64_t now_ns)
{
	struct cof_optimizer *o = cof->optimizer;

	cof_assert_role(COF_ROLE_PICKER);
	turn_generation(cof, o, now_ns);
	patch(cof, o);
	cof_reprofile_turn(cof, &o->picker);
	update_machine_load(cof, o);
	take_forecasts(cof, o);
	take_new(cof, o);
	take_known(cof, o);
	take_units_and_continuations(cof, o);
	cof_audit_turn(cof, &o->workers);
	cof_picker_expire(cof, &o->picker);
	if (cof_reclaim_due_ns(cof) == 0)
		cof_reclaim_round(cof, RECLAIM_WAIT_NS);
	cof_history_turn(cof);
	cof_idle_release_turn(cof, &o->idle_release,
			      cof_workers_quiet_ns(&o->workers),
			      cof_clock_ns());
	cof_finish_turn(cof, &o->picker, &o->workers);
	cof_count_set(&cof->flow->optimizer.picker_ns, cof_clock_thread_ns());
	return sleep_ns(cof, o);
}

uint64_t cof_optimizer_step_builds(struct cof *cof)
{
	return cof_workers_step(&cof->optimizer->workers);
}

static void run(void *arg)
{
	struct cof *cof = arg;
	/* There is no SAM either, which looks otherwise. */
	bool looks = !cof->predictor && cof->host.left_alone;
	uint64_t most_ns = looks ? COF_TUNE(left_look_ms) * COF_MS_NS :
				   IDLE_NS;

	while (cof_stage_sleep(&cof->optimizer->stage,
			       least(cof_optimizer_step(cof, cof_clock_ns()),
				     most_ns)))
		if (looks)
			cof_left_check(cof, NULL);
}

/* A round of reclaim found `v` retired. [code] */
static void on_retired(struct cof *cof, struct cof_version *v)
{
	cof_phase_reuse_forget(v);
	cof_osr_watch(cof, v);
}

int cof_optimizer_new(struct cof *cof)
{
	struct cof_optimizer *o = cof_mem_alloc(sizeof(*o));

	if (!o)
		return -COF_E_NOMEM;
	cof_picker_init(&o->picker, &cof->opts);
	o->patience = 1;
	o->start_ns = cof_clock_ns();
	o->idle_release.idle_ns = cof->opts.idle_ms * COF_MS_NS;
	if (cof_workers_new(&o->workers, cof) != 0) {
		cof_mem_free(o);
		return -COF_E_NOMEM;
	}
	cof_stage_init(&o->stage, "cof-optimizer", COF_ROLE_PICKER, run, cof);
	cof->osr = &o->osr;
	o->osr.trials.workers = &o->workers;
	o->osr.trials.random = o->start_ns;
	cof->optimizer = o;	/* before any thread looks */
	cof->wake.optimizer = &o->stage;
	cof->hooks = (struct cof_reclaim_hooks){
		.retired = on_retired, .gone = cof_osr_gone,
	};
	return 0;
}

int cof_optimizer_start(struct cof *cof)
{
	struct cof_optimizer *o = cof->optimizer;

	if (cof_workers_start(&o->workers) != 0)
		return -COF_E_NOMEM;
	return cof_stage_start(&o->stage);
}

/*
 * P/O stops first: it must not install during the teardown. Then unfinished
 * work of every stage is dropped as STOPPED.
 */
void cof_optimizer_stop(struct cof *cof)
{
	struct cof_optimizer *o = cof->optimizer;
	cof_count *stopped = &cof->flow->optimizer.drop_STOPPED;
	enum cof_role before = cof_role;
	uint64_t w[COF_FORECAST_WORDS];
	struct cof_build *b, *next;

	if (!o)
		return;
	__atomic_store_n(&o->workers.stop, 1, __ATOMIC_RELAXED);
	cof_stage_stop(&o->stage);
	cof_workers_stop(&o->workers);
	cof_role = COF_ROLE_PICKER;	/* this thread acts as P/O now */
	while ((b = cof_workers_withdraw(&o->workers)))
		cof_build_result_stopped(cof, &o->picker, b, false);
	for (b = cof_workers_collect(&o->workers); b; b = next) {
		next = b->next;
		cof_build_result_stopped(cof, &o->picker, b, true);
	}
	cof_instrumented_stop(cof, &o->picker.profiles);
	cof_osr_stop(cof, &o->osr);
	while (cof_ring_pop(&cof->forecasts, w, COF_FORECAST_WORDS)) {
		cof_count_add(&cof->flow->optimizer.taken, 1);
		cof_count_add(stopped, 1);
	}
	cof_new_methods_stop(cof, &o->new_methods);
	cof_role = before;
}

void cof_optimizer_free(struct cof *cof)
{
	struct cof_optimizer *o = cof->optimizer;

	if (!o)
		return;
	cof_picker_free(&o->picker);
	cof_workers_free(&o->workers);
	cof_mem_free(o);
	cof->osr = NULL;
	cof->optimizer = NULL;
	cof->wake.optimizer = NULL;
}

void cof_optimizer_compiled(struct cof *cof, struct cof_method *method)
{
	if (!cof_takes_compiled(cof) || !cof->optimizer ||
	    !cof_top_plan_is_profile(cof))
		return;
	cof_just_compiled_put(&cof->optimizer->new_methods.just_compiled,
			      method);
	cof_stage_wake(cof->wake.optimizer);
}
