/*
 * collect.c - fill a record from counters, methods and phases
 */
#include "history/collect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "history/cpu.h"
#include "history/run_verdict.h"
#include "history/time_saved.h"
#include "instance.h"
#include "measure/expected_gain.h"
#include "memory/mem.h"
#include "stats/stats_file.h"

#define SHAPE_OF(host, data) ((host)->shape ? \
			      (host)->shape((host)->ctx, (data)) : 0)

static int64_t count(const cof_count *c)
{
	uint64_t v = cof_count_get(c);

	return v < (uint64_t)COF_HISTORY_NS_MAX ? (int64_t)v :
						  COF_HISTORY_NS_MAX;
}

static int64_t since(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (int64_t)(to_ns - from_ns) : 0;
}

void cof_history_collect_begin(const struct cof *cof,
			       struct cof_history_record *to)
{
	struct cof_history_run *r = &to->run;

	*to = (struct cof_history_record){ 0 };
	r->began_ns = (int64_t)cof_clock_read(CLOCK_REALTIME);
	r->pid = getpid();
	r->mode = cof->opts.mode;
	r->loop = true;
	r->verdict = COF_HISTORY_AS_TOLD;
	cof_history_text(r->libcof, sizeof(r->libcof), COF_VERSION_STRING);
	cof_history_cpu(r->cpu);
}

/* -- Counters -------------------------------------------------------------- */

/* The part of other threads' CPU time that the program waited for; see
 * optimizer/facts/machine_load.h. */
static int64_t paid(const struct cof_flow *f, int64_t ns)
{
	return (int64_t)((double)ns *
			 (double)count(&f->optimizer.cost_weight) / 1000);
}

/* A host that caches versions caches those that were built with a profile. */
static int64_t once_ns(const struct cof *cof)
{
	const struct cof_flow *f = cof->flow;

	return cof->host.cached_version ?
	       paid(f, count(&f->profile.instrument_ns) +
		       count(&f->profile.collect_ns) +
		       count(&f->profile.build_ns)) : 0;
}

static void collect_counters(struct cof *cof, struct cof_history_run *r)
{
	const struct cof_flow *f = cof->flow;
	int64_t inside = count(&f->sampler.handler_ns) +
			 count(&f->sampler.delivery_ns);
	int64_t beside = count(&f->sampler.sam_ns) +
			 count(&f->predictor.pre_ns) +
			 count(&f->optimizer.picker_ns) +
			 count(&f->optimizer.files_ns);

	r->period_ns = count(&f->sampler.sample_ns);
	r->samples = count(&f->sampler.taken);
	r->counted = count(&f->sampler.counted);
	r->recompiled = count(&f->sampler.recompiled);
	r->own_ns = inside + beside;
	r->build_ns = count(&f->optimizer.gather_ns) +
		      count(&f->optimizer.build_ns) +
		      count(&f->profile.instrument_ns) +
		      count(&f->profile.collect_ns) +
		      count(&f->profile.build_ns) + count(&f->osr.osr_ns);
	r->once_ns = once_ns(cof);
	r->paid_ns = inside + paid(f, beside + r->build_ns);
	r->builds = count(&f->optimizer.built) + count(&f->profile.built);
	r->installed = count(&f->patcher.installed);
	r->generations = count(&f->predictor.generations);
	r->phases = count(&f->predictor.phase_changes);
	r->first_patch_ns = count(&f->optimizer.first_patch_ns);
	/* The counters grow while they are read one after the other. */
	if (r->counted > r->samples)
		r->samples = r->counted;
	if (r->recompiled > r->counted)
		r->recompiled = r->counted;
	if (r->once_ns > r->paid_ns)
		r->once_ns = r->paid_ns;
}

/* -- Methods --------------------------------------------------------------- */

/* A binary heap of the hottest methods, with the least hot on top. */
struct hots {
	struct cof_history_hot hot[COF_HISTORY_METHODS];
	uint32_t   n;
};

static void sift_down(struct hots *h, uint32_t i)
{
	for (;;) {
		uint32_t least = i, kid = 2 * i + 1;
		struct cof_history_hot t = h->hot[i];

		for (uint32_t k = kid; k < kid + 2 && k < h->n; k++)
			if (h->hot[k].samples < h->hot[least].samples)
				least = k;
		if (least == i)
			return;
		h->hot[i] = h->hot[least];
		h->hot[least] = t;
		i = least;
	}
}

static void offer(struct hots *h, const struct cof_history_hot *one)
{
	if (h->n == COF_HISTORY_METHODS) {
		if (one->samples <= h->hot[0].samples)
			return;
		h->hot[0] = *one;
		sift_down(h, 0);
		return;
	}
	h->hot[h->n++] = *one;
	if (h->n == COF_HISTORY_METHODS)
		for (uint32_t i = h->n / 2; i-- > 0; )
			sift_down(h, i);
}

static int hotter(const void *a, const void *b)
{
	const struct cof_history_hot *x = a, *y = b;

	return (x->samples < y->samples) - (x->samples > y->samples);
}

static void find_hot(struct cof *cof, struct hots *h, struct cof_history_run *r)
{
	pthread_mutex_lock(&cof->code_lock);
	for (struct cof_method *m = cof->methods; m; m = m->code.next) {
		const struct cof_version *v =
			atomic_load_explicit(&m->current, memory_order_relaxed);
		struct cof_history_hot one;

		if (!v)
			continue;
		one = cof_history_hot(m, v);
		if (one.samples == 0)
			continue;
		cof_history_time_saved(r, &one);
		offer(h, &one);
	}
	pthread_mutex_unlock(&cof->code_lock);
	cof_history_time_saved_end(r);
	qsort(h->hot, h->n, sizeof(h->hot[0]), hotter);
}

static uint32_t as_permille(double speed)
{
	return speed > 0 && speed < 1000 ? (uint32_t)(speed * 1000 + .5) : 0;
}

/* The run ends before the trial does. The record gets the version on trial and,
 * if that is likely faster, the speed measured so far. */
static void describe_trial(const struct cof_history_hot *h,
			   struct cof_history_method *to)
{
	to->plan = h->trial_plan;
	to->promised_permille =
		as_permille(h->trial_before * h->trial_promised / 1000.0);
	to->audit = COF_HISTORY_UNTRIED;
	if (!cof_expected_gain_likely(h->trial_permille, h->trial_weight))
		return;
	to->audit = COF_HISTORY_UNCLEAR;
	to->measured_permille =
		as_permille(h->trial_before *
			    (1 + (double)h->trial_permille / 1000));
}

static void describe(struct cof *cof, const struct cof_history_hot *h,
		     struct cof_history_method *to)
{
	static const enum cof_history_audit audit[] = {
		[COF_AUDIT_NONE] = COF_HISTORY_UNTRIED,
		[COF_AUDIT_TRIAL] = COF_HISTORY_UNTRIED,
		[COF_AUDIT_KEPT] = COF_HISTORY_KEPT,
		[COF_AUDIT_BACK] = COF_HISTORY_TAKEN_BACK,
		[COF_AUDIT_OPEN] = COF_HISTORY_UNCLEAR,
		[COF_AUDIT_PROVEN] = COF_HISTORY_KEPT,
	};

	cof_history_text(to->name, sizeof(to->name), h->method->name);
	to->shape = SHAPE_OF(&cof->host, h->method->data);
	to->samples = (int64_t)h->samples;
	to->plan = h->plan;
	to->promised_permille = as_permille(h->before * h->speedup);
	if (h->audited < sizeof(audit) / sizeof(audit[0]))
		to->audit = audit[h->audited];
	/* Another was worse; this one had been measured as faster. */
	if (to->audit == COF_HISTORY_TAKEN_BACK && h->measured > 1)
		to->audit = COF_HISTORY_KEPT;
	if (to->audit == COF_HISTORY_KEPT || to->audit == COF_HISTORY_UNCLEAR)
		to->measured_permille = as_permille(h->measured);
	if (h->trial_permille != COF_EXPECTED_GAIN_NONE)
		describe_trial(h, to);
}

#define PROFILE_FIRST 4096u	/* bytes offered at first */

/* *all: bytes of profiles so far. */
static void save_profile(struct cof *cof, const struct cof_method *m,
			 struct cof_history_method *to, size_t *all)
{
	const struct cof_host *host = &cof->host;
	size_t room = PROFILE_FIRST, bytes;
	void *buf = NULL;

	if (!host->profile_save ||
	    atomic_load_explicit(&m->build.counts_others, memory_order_relaxed))
		return;
	/* A profile may grow between two calls. */
	for (int i = 0; i < 3; i++) {
		void *more = cof_mem_realloc(buf, room);

		if (!more)
			break;
		buf = more;
		bytes = host->profile_save(host->ctx, m->data, buf, room);
		if (bytes == 0 || bytes > COF_HISTORY_PROFILE ||
		    *all + bytes > COF_HISTORY_PROFILES)
			break;
		if (bytes <= room) {
			to->profile = buf;
			to->profile_bytes = bytes;
			*all += bytes;
			return;
		}
		room = bytes;
	}
	cof_mem_free(buf);
}

/* Count the samples of methods that the next run will know as hot and for which
 * nothing was built. Refused ones are left out: of these, the next run would
 * know no more when it begins. */
static void add_open(struct cof_history_run *r, const struct cof_history_hot *h,
		     const struct cof_history_method *m)
{
	if (cof_history_is_open(h) && !h->refused &&
	    cof_history_is_hot(m, r->counted))
		r->open += m->samples;
	if (r->open > r->counted)
		r->open = r->counted;
}

/* Would cof_finish() build it, or have it count in the next run? Not what was
 * tried and slower, whatever the version before was measured as. */
static bool is_unfinished(const struct cof *cof,
			  const struct cof_history_run *r,
			  const struct cof_history_hot *h,
			  const struct cof_history_method *m)
{
	/* Of fewer samples each run has others. */
	bool may_count = cof->host.cached_counting &&
			 cof_history_is_open(h) &&
			 cof_history_is_hot(m, r->counted) &&
			 m->samples >= cof->opts.hit_weight;

	return (m->profile || may_count) && m->plan < COF_PLAN_PROFILE &&
	       !h->refused && h->audited != COF_AUDIT_BACK;
}

static bool collect_methods(struct cof *cof, struct cof_history_record *to)
{
	struct hots *h = cof_mem_alloc(sizeof(*h));
	size_t profiles = 0;
	uint64_t unfinished = 0;

	if (!h)
		return false;
	find_hot(cof, h, &to->run);
	to->method = cof_mem_alloc((h->n ? h->n : 1) * sizeof(*to->method));
	if (to->method) {
		to->n_methods = h->n;
		for (uint32_t i = 0; i < h->n; i++) {
			describe(cof, &h->hot[i], &to->method[i]);
			add_open(&to->run, &h->hot[i], &to->method[i]);
			save_profile(cof, h->hot[i].method, &to->method[i],
				     &profiles);
			unfinished += is_unfinished(cof, &to->run, &h->hot[i],
						    &to->method[i]);
		}
		cof_count_set(&cof->flow->profile.unfinished, unfinished);
	}
	cof_mem_free(h);
	return to->method != NULL;
}

/* -- Phases ---------------------------------------------------------------- */

/* Reads a row as readers of the stats file do; letters in
 * stats/stats_file.h. */
static bool read_phase(const struct cof_stats_file_phase *row,
		       struct cof_history_phase *to)
{
	struct cof_stats_file_phase copy;
	const uint64_t *from = (const uint64_t *)row;
	uint64_t *word = (uint64_t *)&copy, seq;

	seq = atomic_load_explicit((_Atomic uint64_t *)&row->seq,
				   memory_order_acquire);	/* C */
	if (seq == 0 || seq % 2 != 0)
		return false;
	for (size_t i = 1; i < sizeof(copy) / 8; i++)
		word[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_acquire);		/* D */
	if (atomic_load_explicit((_Atomic uint64_t *)&row->seq,
				 memory_order_relaxed) != seq)
		return false;
	copy.heaviest[sizeof(copy.heaviest) - 1] = '\0';
	to->generation = (int64_t)copy.generation;
	to->similarity_permille = copy.similarity_permille;
	cof_history_text(to->heaviest, sizeof(to->heaviest), copy.heaviest);
	return true;
}

static int earlier(const void *a, const void *b)
{
	const struct cof_history_phase *x = a, *y = b;

	return (x->generation > y->generation) -
	       (x->generation < y->generation);
}

static bool collect_phases(struct cof *cof, struct cof_history_record *to)
{
	_Static_assert(COF_STATS_FILE_PHASE_ROWS <= COF_HISTORY_PHASES, "");

	to->phase = cof_mem_alloc(COF_HISTORY_PHASES * sizeof(*to->phase));
	if (!to->phase)
		return false;
	for (uint32_t i = 0; i < COF_STATS_FILE_PHASE_ROWS; i++)
		if (read_phase(&cof->stats_file->phase[i],
			       &to->phase[to->n_phases]))
			to->n_phases++;
	qsort(to->phase, to->n_phases, sizeof(*to->phase), earlier);
	return true;
}

/* -------------------------------------------------------------------------- */

bool cof_history_collect(struct cof *cof, uint64_t began_ns,
			 uint64_t began_cpu_ns,
			 struct cof_history_record *to)
{
	struct cof_history_run *r = &to->run;

	cof_history_text(to->host, sizeof(to->host), cof->host.name);
	cof_history_text(to->name, sizeof(to->name),
			 cof->stats_file->header->program);
	r->wall_ns = since(began_ns, cof_clock_ns());
	r->cpu_ns = since(began_cpu_ns,
			  cof_clock_read(CLOCK_PROCESS_CPUTIME_ID));
	if (!r->loop)
		return true;
	collect_counters(cof, r);
	return collect_methods(cof, to) && collect_phases(cof, to);
}
