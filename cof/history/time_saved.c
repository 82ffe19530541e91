/*
 * time_saved.c - time saved, from samples and speed-ups; see time_saved.h
 */
#include "history/time_saved.h"

#include "code/version.h"
#include "history/store/record.h"
#include "measure/expected_gain.h"

static uint64_t samples_of(const _Atomic uint64_t *at)
{
	return atomic_load_explicit((_Atomic uint64_t *)at,
				    memory_order_relaxed);
}

/* What a trial of its loops showed counts for the whole method. */
static void add_loops(struct cof_history_hot *h)
{
	struct cof_method_trial *t = &h->method->trial;
	uint32_t state = atomic_load_explicit(&t->loops_state,
					      memory_order_relaxed);
	uint64_t from = samples_of(&t->loops_from);

	if (state == COF_AUDIT_NONE)
		return;
	h->audited = state;
	h->now = from < h->samples ? h->samples - from : 0;
	h->before = 1;
	h->measured = cof_trial_speed_ratio(&t->loops_permille);
	h->trial_permille = COF_EXPECTED_GAIN_NONE;
}

/* P/O wrote the version's plan and promise before it became current. */
struct cof_history_hot cof_history_hot(struct cof_method *m,
				       const struct cof_version *v)
{
	struct cof_history_hot h = {
		.method = m, .samples = samples_of(&m->samples),
		.now = samples_of(&v->sampled.total), .plan = v->plan,
		.speedup = v->promise.speedup,
		.audited = atomic_load_explicit(
			&((struct cof_version *)v)->trial.state,
			memory_order_relaxed),
		.before = cof_trial_speed_before(&v->trial),
		.measured = cof_trial_speed(&v->trial),
		.trial_permille = atomic_load_explicit(&m->trial.gain_permille,
						       memory_order_relaxed),
		.trial_weight = atomic_load_explicit(&m->trial.weight_permille,
						     memory_order_relaxed),
		.trial_promised =
			atomic_load_explicit(&m->trial.promised_permille,
					     memory_order_relaxed),
		.trial_plan = atomic_load_explicit(&m->trial.plan,
						   memory_order_relaxed),
		.trial_before =
			cof_trial_speed_ratio(&m->trial.before_permille),
		.refused = atomic_load_explicit(&m->build.not_worth,
						memory_order_relaxed),
	};

	add_loops(&h);
	return h;
}

/*
 * What a version saves that is `speedup` times as fast: of the time after it
 * was installed, by samples `now`, and of the time before.
 */
static int64_t saves(const struct cof_history_hot *h, uint64_t now,
		     double speedup, int64_t period_ns)
{
	double after = (double)now * (speedup - 1);
	double before = (double)(h->samples - now) * (1 - 1 / speedup);

	return (int64_t)((after + before) * (double)period_ns);
}

/* On trial the two versions take turns; all of the time counts as before. */
static int64_t tried_saves(const struct cof_history_run *r,
			   const struct cof_history_hot *h, double speedup)
{
	return saves(h, 0, h->trial_before * speedup, r->period_ns);
}

/* What is believed of B's promise, beyond what was measured of A. */
static int64_t tried_believed(const struct cof_history_run *r,
			      const struct cof_history_hot *h)
{
	double speedup = cof_expected_gain_promise(h->trial_promised / 1000.0);

	return tried_saves(r, h, speedup) - tried_saves(r, h, 1);
}

/* What was measured came true of all that was believed of it. */
static void add_measured(struct cof_history_run *r, int64_t ns)
{
	r->measured_ns += ns;
	r->checked_ns += ns;
}

static void add_trial(struct cof_history_run *r,
		      const struct cof_history_hot *h)
{
	double speedup = 1 + (double)h->trial_permille / 1000;
	int64_t believed = tried_believed(r, h), a = tried_saves(r, h, 1);
	int64_t checked = believed * h->trial_weight / 1000;

	add_measured(r, a);
	if (speedup > 0)
		r->measured_ns += tried_saves(r, h, speedup) - a;
	if (h->trial_promised > 1000)
		r->promised_ns += tried_saves(r, h, h->trial_promised / 1000.0);
	r->checked_ns += checked;
	r->untried_ns += believed - checked;
}

static void add_gain(struct cof_history_run *r, const struct cof_history_hot *h)
{
	uint64_t now = h->now < h->samples ? h->now : h->samples;
	double promise = cof_expected_gain_promise(h->speedup);
	int64_t before = saves(h, now, h->before, r->period_ns);
	int64_t believed = saves(h, now, h->before * promise, r->period_ns);
	int64_t measured = saves(h, now, h->measured, r->period_ns);

	if (h->speedup > 1)
		r->promised_ns += saves(h, now, h->before * h->speedup,
					r->period_ns);
	switch (h->audited) {
	case COF_AUDIT_BACK:
		add_measured(r, measured);
		r->checked_ns += tried_believed(r, h);
		break;
	case COF_AUDIT_OPEN:
	case COF_AUDIT_KEPT:
	case COF_AUDIT_PROVEN:
		r->checked_ns += believed;
		r->measured_ns += measured;
		break;
	default:
		add_measured(r, before);
		r->untried_ns += believed - before;
	}
}

bool cof_history_is_open(const struct cof_history_hot *h)
{
	return !(h->speedup > 0) &&
	       h->trial_permille == COF_EXPECTED_GAIN_NONE &&
	       h->audited == COF_AUDIT_NONE;
}

void cof_history_time_saved(struct cof_history_run *r,
			    const struct cof_history_hot *h)
{
	if (h->trial_permille != COF_EXPECTED_GAIN_NONE)
		add_trial(r, h);
	else if (!cof_history_is_open(h))
		add_gain(r, h);
}

/* What was kept may be a little slower than the first version. */
static int64_t no_less_than_0(int64_t ns)
{
	return ns > 0 ? ns : 0;
}

void cof_history_time_saved_end(struct cof_history_run *r)
{
	r->checked_ns = no_less_than_0(r->checked_ns);
	r->promised_ns = no_less_than_0(r->promised_ns);
	r->untried_ns = no_less_than_0(r->untried_ns);
}
