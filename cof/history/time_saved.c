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

/* P/O wrote the version's plan and promise before it became current. */
struct cof_history_hot cof_history_hot(struct cof_method *m,
				       const struct cof_version *v)
{
	return (struct cof_history_hot){
		.method = m, .samples = samples_of(&m->samples),
		.now = samples_of(&v->sampled.total), .plan = v->plan,
		.speedup = v->promise.speedup,
		.audited = atomic_load_explicit(
			&((struct cof_version *)v)->trial.state,
			memory_order_relaxed),
		.gain_permille = atomic_load_explicit(
			&((struct cof_version *)v)->trial.gain_permille,
			memory_order_relaxed),
		.trial_permille = atomic_load_explicit(&m->trial.gain_permille,
						       memory_order_relaxed),
		.trial_weight = atomic_load_explicit(&m->trial.weight_permille,
						     memory_order_relaxed),
		.trial_promised =
			atomic_load_explicit(&m->trial.promised_permille,
					     memory_order_relaxed),
		.trial_plan = atomic_load_explicit(&m->trial.plan,
						   memory_order_relaxed),
		.refused = atomic_load_explicit(&m->build.not_worth,
						memory_order_relaxed),
	};
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

static int64_t tried_saves(const struct cof_history_run *r,
			   const struct cof_history_hot *h)
{
	double speedup = cof_expected_gain_promise(h->trial_promised / 1000.0);

	return saves(h, 0, speedup, r->period_ns);
}

/* On trial the two versions take turns; all of the time counts as before. */
static void add_trial(struct cof_history_run *r,
		      const struct cof_history_hot *h)
{
	double speedup = 1 + (double)h->trial_permille / 1000;
	int64_t believed = tried_saves(r, h);
	int64_t checked = believed * h->trial_weight / 1000;

	if (speedup > 0)
		r->measured_ns += saves(h, 0, speedup, r->period_ns);
	if (h->trial_promised > 1000)
		r->promised_ns += saves(h, 0, h->trial_promised / 1000.0,
					r->period_ns);
	r->checked_ns += checked;
	r->untried_ns += believed - checked;
}

static void add_gain(struct cof_history_run *r, const struct cof_history_hot *h)
{
	uint64_t now = h->now < h->samples ? h->now : h->samples;
	double measured = 1 + (double)h->gain_permille / 1000;
	int64_t believed = saves(h, now, cof_expected_gain_promise(h->speedup),
				 r->period_ns);

	if (h->speedup > 1)
		r->promised_ns += saves(h, now, h->speedup, r->period_ns);
	switch (h->audited) {
	case COF_AUDIT_BACK:
		r->checked_ns += tried_saves(r, h);
		break;
	case COF_AUDIT_OPEN:	/* below 1: it was taken back */
		measured = measured > 1 ? measured : 1;
		/* fall through */
	case COF_AUDIT_KEPT:
	case COF_AUDIT_PROVEN:
		r->checked_ns += believed;
		r->measured_ns += measured > 0 ?
				  saves(h, now, measured, r->period_ns) : 0;
		break;
	default:
		r->untried_ns += believed;
	}
}

bool cof_history_is_open(const struct cof_history_hot *h)
{
	return !(h->speedup > 0) &&
	       h->trial_permille == COF_EXPECTED_GAIN_NONE &&
	       h->audited != COF_AUDIT_BACK;
}

void cof_history_time_saved(struct cof_history_run *r,
			    const struct cof_history_hot *h)
{
	if (h->trial_permille != COF_EXPECTED_GAIN_NONE)
		add_trial(r, h);
	else if (!cof_history_is_open(h))
		add_gain(r, h);
}
