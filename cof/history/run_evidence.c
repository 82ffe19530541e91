/*
 * run_evidence.c - sum a program's past up; see run_evidence.h
 */
#include "history/run_evidence.h"

#include <stdlib.h>
#include <string.h>

#include "options/opts.h"
#include "options/tuning.h"

void cof_history_rules(struct cof_history_rules *rules,
		       const struct cof_opts *opts, bool is_finished)
{
	rules->retry_runs = opts->auto_retry_runs;
	rules->short_ns = opts->auto_short_ms * INT64_C(1000000);
	rules->short_loops = opts->auto_finish && is_finished ?
				     COF_TUNE(history_finish_runs) : 0;
	rules->gain_permille = opts->auto_gain_permille;
}

int64_t cof_history_guest_ns(const struct cof_history_run *r)
{
	int64_t ns = r->cpu_ns - r->own_ns - r->build_ns;

	return ns > 0 ? ns : 0;
}

static bool began_late(const struct cof_history_run *r)
{
	return r->verdict == COF_HISTORY_NO_GAIN ||
	       r->verdict == COF_HISTORY_COMPARE ||
	       r->verdict == COF_HISTORY_SHORT;
}

int64_t cof_history_loop_ns(const struct cof_history_run *r)
{
	double sampled = (double)r->samples * (double)r->period_ns;
	int64_t all = cof_history_guest_ns(r);

	return began_late(r) && sampled < (double)all ? (int64_t)sampled : all;
}

/* Unmeasured gains count as far as measured ones came true. */
static int64_t gain_ns(const struct cof_history_run *r, uint32_t truth)
{
	return r->measured_ns +
	       (int64_t)((double)r->untried_ns * truth / 1000);
}

static int64_t cost_ns(const struct cof_history_run *r)
{
	return r->paid_ns - r->once_ns +
	       r->once_ns / COF_TUNE(history_build_runs);
}

/* Clamped to the range of times in a record, whatever the parts are. */
static int64_t permille(int64_t part, int64_t of)
{
	double is = of > 0 ? (double)part * 1000 / (double)of : 0;
	double most = (double)COF_HISTORY_NS_MAX;

	return (int64_t)(is > most ? most : is < -most ? -most : is);
}

int64_t cof_history_net_permille(const struct cof_history_run *r,
				 uint32_t truth)
{
	return permille(gain_ns(r, truth) - cost_ns(r),
			cof_history_loop_ns(r));
}

bool cof_history_is_hot(const struct cof_history_method *m, int64_t samples)
{
	return m->audit != COF_HISTORY_TAKEN_BACK &&
	       permille(m->samples, samples) >= COF_TUNE(history_hot_permille);
}

bool cof_history_is_known(const struct cof_history_method *m, int64_t samples)
{
	return cof_history_is_hot(m, samples) ||
	       (m->audit != COF_HISTORY_TAKEN_BACK && m->samples > 0 &&
		m->profile != NULL);
}

static bool same(const struct cof_history_run *r, const char *libcof,
		 const char *cpu)
{
	return strcmp(r->libcof, libcof) == 0 && strcmp(r->cpu, cpu) == 0;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts in place. */
static int64_t median(int64_t *v, uint32_t n)
{
	if (n == 0)
		return 0;
	qsort(v, n, sizeof(*v), by_size);
	return v[n / 2];
}

/* How much of the gains that were believed and then measured came true, in
 * thousandths; 1000 until something was measured. */
static uint32_t truth_of(const struct cof_history_past *p, const char *libcof,
			 const char *cpu)
{
	double confirmed = 0, checked = 0, guest = 0, share;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_runs && n < COF_TUNE(history_truth_runs);
	     i++) {
		const struct cof_history_run *r = &p->run[i];

		if (!r->loop || !same(r, libcof, cpu))
			continue;
		confirmed += (double)r->measured_ns;
		checked += (double)r->checked_ns;
		guest += (double)cof_history_loop_ns(r);
		n++;
	}
	confirmed = (confirmed > 0 ? confirmed : 0) +
		    guest / COF_TUNE(history_doubt_part);
	checked += guest / COF_TUNE(history_doubt_part);
	share = checked > 0 ? confirmed / checked : 1;
	return share < 1 ? (uint32_t)(share * 1000) : 1000;
}

static void add_loop_run(const struct cof_history_run *r,
			 struct cof_run_evidence *e)
{
	int64_t net = cof_history_net_permille(r, e->truth_permille);
	uint32_t open = (uint32_t)permille(r->open, r->counted);
	int64_t unsure = permille(gain_ns(r, e->truth_permille) -
				  r->measured_ns, cof_history_loop_ns(r));
	int64_t saved = permille(r->measured_ns, cof_history_loop_ns(r));
	int64_t promised = permille(r->promised_ns, cof_history_loop_ns(r));

	if (e->judged == 0 || net > e->best_permille)
		e->best_permille = net;
	if (e->judged == 0 || open < e->open_permille)
		e->open_permille = open;
	if (unsure > e->unsure_permille)
		e->unsure_permille = unsure;
	if (saved > e->saved_permille)
		e->saved_permille = saved;
	if (promised > e->promised_permille)
		e->promised_permille = promised;
	e->judged++;
	if (r->cpu_ns > e->judged_ns)
		e->judged_ns = r->cpu_ns;
	if (e->judged == 1 || cof_history_guest_ns(r) < e->fastest_ns)
		e->fastest_ns = cof_history_guest_ns(r);
	if (cof_history_guest_ns(r) > e->slowest_ns)
		e->slowest_ns = cof_history_guest_ns(r);
	if (!began_late(r) &&
	    permille(r->build_ns, cof_history_guest_ns(r)) <
		    COF_TUNE(history_built_permille) &&
	    (e->with_ns == 0 || cof_history_guest_ns(r) < e->with_ns))
		e->with_ns = cof_history_guest_ns(r);
	e->whole += r->ended && !began_late(r);
	e->measured_ns += r->measured_ns;
	e->untried_ns += r->untried_ns;
	e->own_ns += r->own_ns;
	e->build_ns += r->build_ns;
	e->paid_ns += r->paid_ns;
	e->once_ns += r->once_ns;
	e->guest_ns += cof_history_loop_ns(r);
}

static void add_hot_set(const struct cof_history_past *p,
			struct cof_run_evidence *e)
{
	int64_t samples = 0;

	for (uint32_t i = 0; i < p->n_methods; i++) {
		const struct cof_history_method *m = &p->method[i];

		if (!cof_history_is_known(m, p->samples))
			continue;
		e->hot++;
		e->profiles += m->profile != NULL;
		samples += m->samples;
	}
	e->hot_permille = (uint32_t)permille(samples, p->samples);
	if (e->hot_permille > 1000)
		e->hot_permille = 1000;
}

/* Did a run of so long do the work of the judged ones, which may have saved
 * what they were promised to? */
static bool is_like_judged(const struct cof_run_evidence *e, int64_t ns)
{
	int64_t gain = e->promised_permille > e->best_permille ?
		       e->promised_permille : e->best_permille;

	return (double)ns >= (double)e->fastest_ns / COF_TUNE(history_alike) &&
	       (double)ns <= (double)e->slowest_ns * COF_TUNE(history_alike) *
			     (1 + (double)gain / 1000);
}

/* Called when all judged runs are in. A run that did other work than these, or
 * was killed, says nothing. */
static void add_off_runs(const struct cof_history_past *p, const char *libcof,
			 const char *cpu, const struct cof_history_rules *rules,
			 struct cof_run_evidence *e)
{
	for (uint32_t i = 0;
	     i < p->n_runs && e->alone < COF_TUNE(history_agreeing_runs); i++) {
		const struct cof_history_run *r = &p->run[i];

		if (r->loop || !same(r, libcof, cpu) ||
		    r->cpu_ns < rules->short_ns)
			continue;
		e->alone++;
		if (r->ended && is_like_judged(e, r->cpu_ns) &&
		    (e->alone_ns == 0 || r->cpu_ns < e->alone_ns))
			e->alone_ns = r->cpu_ns;
	}
}

/* As above. */
static void add_first_run(const struct cof_history_past *p, const char *libcof,
			  const char *cpu, struct cof_run_evidence *e)
{
	for (uint32_t i = 0; i < p->n_runs; i++) {
		const struct cof_history_run *r = &p->run[i];
		int64_t ns = cof_history_guest_ns(r) - r->paid_ns;

		if (r->loop && r->ended && r->verdict == COF_HISTORY_FIRST &&
		    same(r, libcof, cpu) && is_like_judged(e, ns))
			e->first_ns = ns;
	}
}

/* CPU times, the newest first. */
struct newest {
	int64_t  ns[COF_HISTORY_RUNS];
	uint32_t n;
};

static void add_newest(struct newest *newest, int64_t ns)
{
	if (newest->n < COF_TUNE(history_recent_runs))
		newest->ns[newest->n++] = ns;
}

/* Runs as a whole: with what was built, and without. */
static void compare_all(const struct cof_history_past *p, const char *libcof,
			const char *cpu, struct cof_run_evidence *e)
{
	struct newest with = { .n = 0 }, off = { .n = 0 };

	for (uint32_t i = 0; i < p->n_runs; i++) {
		const struct cof_history_run *r = &p->run[i];

		if (!same(r, libcof, cpu) || !r->ended)
			continue;
		if (!r->loop)
			add_newest(&off, r->cpu_ns);
		else if (r->verdict == COF_HISTORY_FIRST)
			e->unknowing_ns = cof_history_guest_ns(r) - r->paid_ns;
		else
			add_newest(&with, cof_history_guest_ns(r) + cost_ns(r));
	}
	e->with_libcof_ns = median(with.ns, with.n);
	e->off_ns = median(off.ns, off.n);
}

void cof_history_run_evidence(const struct cof_history_past *past,
			      const char *libcof, const char *cpu,
			      const struct cof_history_rules *rules,
			      struct cof_run_evidence *e)
{
	static const struct cof_history_past none;
	const struct cof_history_past *p = past ? past : &none;
	int64_t cpu_ns[COF_HISTORY_RUNS];

	memset(e, 0, sizeof(*e));
	e->truth_permille = truth_of(p, libcof, cpu);
	for (uint32_t i = 0; i < p->n_runs && e->runs < COF_HISTORY_RUNS; i++) {
		const struct cof_history_run *r = &p->run[i];

		if (!same(r, libcof, cpu)) {
			e->others++;
			continue;
		}
		if (e->recent < COF_TUNE(history_recent_runs)) {
			e->recent++;
			if (r->cpu_ns > e->longest_ns)
				e->longest_ns = r->cpu_ns;
			e->repaid += r->loop &&
				     cof_history_net_permille(r, 0) >=
				     rules->gain_permille;
		}
		if (r->loop) {
			e->loops++;
			e->used_ns += cof_history_guest_ns(r);
			e->built_ns += r->build_ns;
			e->sampled += r->counted > 0;
			/* Without samples, as in mode pgo on some hosts, a run
			 * has not shown what it gains. */
			if (r->counted > 0 &&
			    e->judged < COF_TUNE(history_agreeing_runs) &&
			    cof_history_loop_ns(r) >= rules->short_ns)
				add_loop_run(r, e);
		} else {
			e->since_loop += e->loops == 0;
		}
		cpu_ns[e->runs++] = r->cpu_ns;
	}
	e->typical_ns = median(cpu_ns, e->runs);
	add_off_runs(p, libcof, cpu, rules, e);
	add_first_run(p, libcof, cpu, e);
	compare_all(p, libcof, cpu, e);
	add_hot_set(p, e);
}
