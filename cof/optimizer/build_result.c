/*
 * build_result.c - results of builds: install, learn, count
 */
#include "optimizer/build_result.h"

#include "base/clock.h"
#include "base/log.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/instrumented/instrumented.h"
#include "optimizer/osr/osr.h"
#include "optimizer/policy/picker.h"
#include "optimizer/trial/audit.h"
#include "patcher/direct_entry.h"
#include "patcher/patcher.h"

/* A result that will not be used. */
static void discard(struct cof *cof, struct cof_build *b)
{
	if (cof->host.discard)
		cof->host.discard(cof->host.ctx, b->desc.data);
	if (b->desc.block.exec)
		cof_code_free(cof, &b->desc.block);
}

/* -- Install --------------------------------------------------------------- */

/*
 * The new version takes over weight and past, divided by the expected speed-up
 * (as in Jikes' RecompilationStrategy): the method is as hot as before, but
 * collects fewer samples. Otherwise a success would look like a new phase. An
 * instrumented version is not the best one, but is left alone as SETTLED.
 */
static void inherit(struct cof *cof, const struct cof_build *b,
		    const struct cof_version *over, struct cof_version *v)
{
	struct cof_word w = cof_word_read(&over->word);

	if (!v->code.counting)
		w.weight = (uint16_t)((double)w.weight / b->speedup);
	w.calls = 0;
	w.flags = 0;
	if ((v->plan == cof_top_plan(cof) || v->code.counting) &&
	    !cof->opts.stress)
		w.flags = COF_WORD_SETTLED;
	atomic_store_explicit(&v->word, cof_word_pack(w), memory_order_relaxed);
}

static void note_first_patch(struct cof *cof)
{
	cof_count *first = &cof->flow->optimizer.first_patch_ns;
	uint64_t since = atomic_load_explicit(&cof->first_sample_ns,
					      memory_order_relaxed);

	if (since && cof_count_get(first) == 0)
		cof_count_set(first, cof_clock_ns() - since);
}

/*
 * Prepare what was built and install it over `over`. If `over` is NULL the
 * patcher counts the build as superseded. Returns the version if it is current
 * now; otherwise NULL.
 */
static struct cof_version *install(struct cof *cof, struct cof_picker *picker,
				   struct cof_build *b,
				   struct cof_version *over)
{
	struct cof_method *method = b->method;
	uintptr_t from = over ? over->code.entry : 0;
	struct cof_version *v;
	double past_ns = 0;
	int err;

	v = cof_patcher_prepare(method, &b->desc, &err);
	if (!v) {
		discard(cof, b);
		cof_picker_mark(cof, picker, method, COF_BACKOFF_DECLINED);
		return NULL;
	}
	if (over && cof_version_is_same(over, v))
		b->speedup = 1;
	v->code.counting = b->kind == COF_BUILD_INSTRUMENTED;
	v->promise.speedup = v->code.counting ? 0 : b->speedup;
	v->promise.promised = v->code.counting ? 0 : b->promised;
	v->promise.unit = b->unit;
	v->links.left_alone = b->left_alone;
	v->promise.proven_permille = b->proven_permille;
	v->promise.cached = b->cached;
	if (b->cached && over && b->desc.proven_over == over->plan) {
		v->promise.progress_permille = b->desc.progress_permille;
		v->promise.progress_error = b->desc.progress_error;
	}
	v->promise.showed_nothing = b->cached && b->desc.unseen;
	if (b->kind == COF_BUILD_PROFILED)
		v->phase.id = method->profile->in_phase;
	if (over) {
		inherit(cof, b, over, v);
		cof_version_set_pace(v, over, v->code.counting ? 100.0 /
				     (100 + cof->opts.profile_slow_pct) :
				     b->speedup);
		past_ns = cof_sampled_time_past_ns(cof, over) / b->speedup;
	}
	/* Without `over`, or if callers cannot be led to the version, pass the
	 * version itself: no version is its own predecessor, so the patcher
	 * counts it as superseded. */
	if (!cof_patcher_install(v, over && cof_direct_entry_end(method) ?
				 over : v, false)) {
		if (over && cof->opts.dry_run)
			cof_picker_mark(cof, picker, method,
					COF_BACKOFF_DRY_RUN);
		return NULL;
	}
	cof_log(cof, "COF: P/O patches %s from %p to %p", method->name,
		(void *)from, (void *)v->code.entry);
	method->build.past_ns = past_ns;
	cof_osr_watch(cof, over);
	return v;
}

/* Returns whether it went in. */
static bool replace(struct cof *cof, struct cof_picker *picker,
		    struct cof_build *b, struct cof_version *over)
{
	struct cof_version *v = install(cof, picker, b, over);

	if (!v)
		return false;
	cof_backoff_forgive(b->method);
	note_first_patch(cof);
	cof_audit_installed(cof, b->method, over, v);
	return true;
}

/* -- By kind --------------------------------------------------------------- */

static void count_gathering(struct cof *cof, const struct cof_build *b)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;

	cof_count_add(&flow->gathered, b->gathered);
	cof_count_add(&flow->gather_ns, b->gather_ns);
}

static void log_build(struct cof *cof, const struct cof_build *b)
{
	const char *name = b->method->name;

	if (b->end != COF_BUILD_DONE)
		cof_log(cof, "COF: the host did not recompile %s", name);
	else if (b->cached)
		cof_log(cof, "COF: the host brought %s, cached by an earlier "
			"run", name);
	else
		cof_log(cof, "COF: the host recompiled %s%s", name,
			b->in_unit ? " in a unit" : "");
}

static void log_time(struct cof *cof, const struct cof_build *b)
{
	uint64_t ns = b->build_ns + b->collect_ns;

	if (ns > 0)
		cof_log(cof, "COF: a worker took %llu us, estimated were %llu, "
			"and gathered in %llu us, for %s",
			(unsigned long long)(ns / 1000),
			(unsigned long long)(b->estimated_ns / 1000),
			(unsigned long long)(b->gather_ns / 1000),
			b->method->name);
}

static bool take_plan(struct cof *cof, struct cof_picker *picker,
		      struct cof_build *b, struct cof_version *over)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;

	cof_count_add(&flow->build_ns, b->build_ns);
	log_build(cof, b);
	switch (b->end) {
	case COF_BUILD_NO_IR:
		cof_count_add(&flow->drop_NO_IR, 1);
		cof_picker_mark(cof, picker, b->method, COF_BACKOFF_NO_IR);
		return false;
	case COF_BUILD_NO_PROFILE:
	case COF_BUILD_DECLINED:
	case COF_BUILD_NOT_NOW:
		cof_count_add(&flow->drop_DECLINED, 1);
		cof_picker_mark(cof, picker, b->method, COF_BACKOFF_DECLINED);
		return false;
	case COF_BUILD_DONE:
		break;
	}
	cof_count_add(&flow->built, 1);
	cof_cost_model_rates_learn(&picker->rates, b->plan, b->estimated_ns,
				   b->build_ns);
	return replace(cof, picker, b, over);
}

/*
 * If the method does not get to count, it has had its chance for this phase
 * (optimizer/instrumented/profile.h); the picker then uses the lower plans.
 */
static bool take_instrumented(struct cof *cof, struct cof_picker *picker,
			  struct cof_build *b, struct cof_version *over)
{
	struct cof_flow_profile *flow = &cof->flow->profile;
	struct cof_profile *p = b->method->profile;
	struct cof_version *v;

	cof_count_add(&flow->instrument_ns, b->build_ns);
	p->spent_ns += b->build_ns;
	cof_log(cof, "COF: the host %s %s", b->end == COF_BUILD_DONE ?
		"instrumented" : "did not instrument", b->method->name);
	if (b->end == COF_BUILD_NO_IR) {
		cof_instrumented_end(cof, &picker->profiles, p,
				     &flow->drop_NO_IR);
		cof_picker_mark(cof, picker, b->method, COF_BACKOFF_NO_IR);
		return false;
	}
	if (b->end != COF_BUILD_DONE) {
		cof_instrumented_end(cof, &picker->profiles, p,
				 &flow->drop_NO_COUNTING);
		return false;
	}
	cof_count_add(&flow->instrumented, 1);
	cof_cost_model_rates_learn(&picker->rates, COF_PLAN_NONE,
				   b->estimated_ns, b->build_ns);
	v = install(cof, picker, b, over);
	if (!v) {
		cof_instrumented_end(cof, &picker->profiles, p, over ?
				 &flow->drop_NOT_PATCHED : &flow->drop_STALE);
		return false;
	}
	cof_audit_installed(cof, b->method, over, v);
	cof_instrumented_begin(cof, &picker->profiles, p, over, v);
	return true;
}

static bool take_profiled(struct cof *cof, struct cof_picker *picker,
			  struct cof_build *b, struct cof_version *over)
{
	struct cof_flow_profile *flow = &cof->flow->profile;
	struct cof_profile *p = b->method->profile;

	cof_count_add(&flow->collect_ns, b->collect_ns);
	cof_count_add(&flow->build_ns, b->build_ns);
	cof_count_add(&flow->collected, b->collected);
	cof_count_add(&flow->in_unit, b->in_unit);
	p->spent_ns += b->collect_ns;
	p->collected |= b->collected;
	if (!b->cached)
		cof_log(cof, "COF: the host collected %s profile of %s",
			b->collected ? "the" : "no", b->method->name);
	if (b->end == COF_BUILD_NO_IR || b->end == COF_BUILD_NO_PROFILE) {
		cof_instrumented_end(cof, &picker->profiles, p,
				 b->end == COF_BUILD_NO_IR ?
					 &flow->drop_NO_IR :
					 &flow->drop_NO_PROFILE);
		return false;
	}
	log_build(cof, b);
	if (b->end != COF_BUILD_DONE) {
		cof_instrumented_end(cof, &picker->profiles, p,
				 &flow->drop_DECLINED);
		cof_picker_mark(cof, picker, b->method, COF_BACKOFF_DECLINED);
		return false;
	}
	cof_instrumented_end(cof, &picker->profiles, p, &flow->built);
	if (!b->cached)
		cof_cost_model_rates_learn(&picker->rates, COF_PLAN_PROFILE,
				b->estimated_ns, b->build_ns + p->spent_ns);
	if (!replace(cof, picker, b, over))
		return false;
	if (b->cached)
		cof_osr_cached(cof, cof->osr, over);
	return true;
}

/* The profile that a continuation was built with is the method's now, or it is
 * still to be collected. */
static void end_continuation(struct cof *cof, struct cof_picker *picker,
			     const struct cof_build *b)
{
	struct cof_profile *p = b->method->profile;

	if (!b->collects)
		return;
	cof_count_add(&cof->flow->profile.collect_ns, b->collect_ns);
	p->spent_ns += b->collect_ns;
	p->ahead = b->collected;
	cof_instrumented_enter(cof, &picker->profiles, p, COF_PROFILE_FULL);
}

static bool take_one(struct cof *cof, struct cof_picker *picker,
		     struct cof_build *b)
{
	struct cof_version *over = cof_picker_ended(picker, b);
	bool patched = false;

	count_gathering(cof, b);
	switch (b->kind) {
	case COF_BUILD_PLAN:
		patched = take_plan(cof, picker, b, over);
		break;
	case COF_BUILD_INSTRUMENTED:
		patched = take_instrumented(cof, picker, b, over);
		break;
	case COF_BUILD_PROFILED:
		patched = take_profiled(cof, picker, b, over);
		break;
	case COF_BUILD_OSR:
		end_continuation(cof, picker, b);
		cof_osr_take(cof, cof->osr, b);
		break;
	}
	cof_direct_entry_begin(b->method);
	cof_log(cof, "COF: P/O took the result for %s", b->method->name);
	log_time(cof, b);
	return patched;
}

bool cof_build_result_take(struct cof *cof, struct cof_picker *picker,
			   struct cof_build *b)
{
	struct cof_build *peer;
	bool patched = false, in_unit = false;

	cof_assert_role(COF_ROLE_PICKER);
	cof_unproven_ended(cof, b);
	for (; b; b = peer) {
		peer = b->peer;
		in_unit |= b->in_unit;
		patched |= take_one(cof, picker, b);
		cof_mem_free(b);
	}
	cof_count_add(&cof->flow->profile.units, in_unit);
	return patched;
}

/* -- Given up -------------------------------------------------------------- */

static void give_up(struct cof *cof, struct cof_picker *picker,
		    struct cof_build *b, cof_count *optimizer,
		    cof_count *profile)
{
	cof_picker_ended(picker, b);
	if (b->kind == COF_BUILD_OSR) {
		end_continuation(cof, picker, b);
		cof_osr_unqueued(cof, cof->osr, b);
	} else if (b->kind == COF_BUILD_PLAN) {
		cof_count_add(optimizer, 1);
	} else {
		cof_instrumented_end(cof, &picker->profiles, b->method->profile,
				 profile);
	}
	cof_mem_free(b);
}

void cof_build_result_unqueued(struct cof *cof, struct cof_picker *picker,
			       struct cof_build *b)
{
	struct cof_build *peer;

	cof_unproven_ended(cof, b);
	for (; b; b = peer) {
		peer = b->peer;
		give_up(cof, picker, b, &cof->flow->optimizer.drop_NO_MEMORY,
			&cof->flow->profile.drop_NO_MEMORY);
	}
}

void cof_build_result_stopped(struct cof *cof, struct cof_picker *picker,
			      struct cof_build *b, bool done)
{
	struct cof_build *peer;

	for (; b; b = peer) {
		peer = b->peer;
		if (b->kind == COF_BUILD_OSR) {
			end_continuation(cof, picker, b);
			cof_osr_stopped(cof, cof->osr, b, done);
			cof_mem_free(b);
			continue;
		}
		if (done && b->end == COF_BUILD_DONE)
			discard(cof, b);
		give_up(cof, picker, b, &cof->flow->optimizer.drop_STOPPED,
			&cof->flow->profile.drop_STOPPED);
	}
}
