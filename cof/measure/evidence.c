/*
 * evidence.c - sums over blocks, and what they say; see evidence.h
 */
#include "measure/evidence.h"

#include <math.h>

#include "options/tuning.h"

/* A log ratio that was estimated, and its variance. */
struct estimate {
	double x, v;
	bool   known;
};

/* -- Blocks ---------------------------------------------------------------- */

static void add(struct cof_ratio *ratio, double r, double s)
{
	ratio->r += r;
	ratio->s += s;
	ratio->rr += r * r;
	ratio->rs += r * s;
	ratio->ss += s * s;
	ratio->n++;
}

static void sum(struct cof_slice *to, const struct cof_slice *from)
{
	to->inside += from->inside;
	to->outside += from->outside;
	to->entries += from->entries;
	to->cpu_ns += from->cpu_ns;
	to->timed += from->timed;
}

/*
 * One or two blocks often have no entry of one kind, and then say nothing about
 * `each`. So its strata are several blocks.
 */
static void pool(struct cof_evidence *e, const struct cof_slice *a,
		 const struct cof_slice *b)
{
	struct cof_slice *x = &e->pool[0], *y = &e->pool[1];
	double entries;

	sum(x, a);
	sum(y, b);
	if (++e->pooled < COF_TUNE(evidence_pool))
		return;
	entries = x->entries + y->entries;
	if (entries > 0 && x->timed + y->timed > 0)
		add(&e->each, y->timed * x->entries / entries,
		    x->timed * y->entries / entries);
	*x = *y = (struct cof_slice){ 0 };
	e->pooled = 0;
}

void cof_evidence_add(struct cof_evidence *e, const struct cof_slice *a,
		      const struct cof_slice *b)
{
	double all = a->inside + a->outside + b->inside + b->outside;
	double cpu = a->cpu_ns + b->cpu_ns, entries = a->entries + b->entries;
	bool counted = a->cpu_ns > 0 && b->cpu_ns > 0;
	double r = 0, s = 0, pr = 0, ps = 0;

	if (a->inside + a->outside > 0 && b->inside + b->outside > 0) {
		r = b->inside * a->outside / all;
		s = a->inside * b->outside / all;
		add(&e->odds, r, s);
	}
	if (counted && entries > 0) {
		pr = a->entries * b->cpu_ns / cpu;
		ps = b->entries * a->cpu_ns / cpu;
		add(&e->pace, pr, ps);
	}
	if (counted)
		pool(e, a, b);
	e->cross_rr += r * pr;
	e->cross_rs += r * ps;
	e->cross_sr += s * pr;
	e->cross_ss += s * ps;
	sum(&e->a, a);
	sum(&e->b, b);
}

static void forget_entries(struct cof_slice *s)
{
	s->entries = s->cpu_ns = s->timed = 0;
}

void cof_evidence_forget_entries(struct cof_evidence *e)
{
	e->pace = e->each = (struct cof_ratio){ 0 };
	e->pool[0] = e->pool[1] = (struct cof_slice){ 0 };
	e->pooled = 0;
	e->cross_rr = e->cross_rs = e->cross_sr = e->cross_ss = 0;
	forget_entries(&e->a);
	forget_entries(&e->b);
}

/* -- Estimates ------------------------------------------------------------- */

/* Few blocks show too little variance. */
static double small(double v, uint32_t n)
{
	return n > 2 ? v * n / (n - 2) : INFINITY;
}

static struct estimate of_ratio(const struct cof_ratio *ratio)
{
	struct estimate e = { 0 };

	if (ratio->n < COF_TUNE(evidence_blocks) || !(ratio->r > 0) ||
	    !(ratio->s > 0))
		return e;
	e.x = log(ratio->r / ratio->s);
	e.v = ratio->rr / (ratio->r * ratio->r) +
	      ratio->ss / (ratio->s * ratio->s) -
	      2 * ratio->rs / (ratio->r * ratio->s);
	e.v = small(fmax(e.v, 0), ratio->n);
	e.known = true;
	return e;
}

static struct estimate of_odds(const struct cof_evidence *ev)
{
	struct estimate e = of_ratio(&ev->odds);

	if (e.known)
		e.v = fmax(e.v, 1 / ev->a.inside + 1 / ev->a.outside +
				1 / ev->b.inside + 1 / ev->b.outside);
	return e;
}

/*
 * How many times as long a part with this share takes if the program takes
 * `whole` times as long. If the program got faster by more than the part can
 * explain, nearly all of the part counts as gained.
 */
static double part_of(double whole, double share)
{
	return fmax(1 + (whole - 1) / share, 0.05);
}

static double share_of(const struct cof_slice *s)
{
	return s->inside > 0 ? s->inside / (s->inside + s->outside) : 1;
}

/*
 * From the ratio of the whole program to that of what is compared: by the share
 * under A and, in the other direction, by the share under B. Their mean is
 * taken, so that chance favours neither. *slope is the factor by which errors
 * grow.
 */
static struct estimate of_pace(const struct cof_evidence *ev, double *slope)
{
	double a = share_of(&ev->a), b = share_of(&ev->b);
	struct estimate e = of_ratio(&ev->pace);
	double whole = e.known ? exp(e.x) : 1;
	double to_b = part_of(whole, a), to_a = part_of(1 / whole, b);

	*slope = (whole / (a * to_b) + 1 / (whole * b * to_a)) / 2;
	if (!e.known)
		return e;
	e.v = fmax(e.v, 1 / ev->a.entries + 1 / ev->b.entries);
	/* A share below the noise of the whole says nothing. */
	e.known = sqrt(e.v) < COF_TUNE(evidence_pace_noise) * fmin(a, b);
	e.x = (log(to_b) - log(to_a)) / 2;
	e.v *= *slope * *slope;
	return e;
}

static struct estimate of_each(const struct cof_evidence *ev)
{
	struct estimate e = of_ratio(&ev->each);

	if (e.known)
		e.v = fmax(e.v, 1 / ev->a.timed + 1 / ev->b.timed);
	return e;
}

/* Of the log ratios of odds and pace, before `slope`. */
static double covariance(const struct cof_evidence *ev)
{
	const struct cof_ratio *o = &ev->odds, *p = &ev->pace;

	return ev->cross_rr / (o->r * p->r) - ev->cross_rs / (o->r * p->s) -
	       ev->cross_sr / (o->s * p->r) + ev->cross_ss / (o->s * p->s);
}

/* The mean of least variance, no weight outside 0 to 1. */
static void join(struct cof_measure *m, struct estimate odds,
		 struct estimate pace, double c)
{
	double w = 0, limit = sqrt(odds.v * pace.v);

	if (odds.known && pace.known) {
		c = fmin(fmax(c, -limit), limit);
		w = odds.v + pace.v - 2 * c;
		w = w > 0 ? fmin(fmax((odds.v - c) / w, 0), 1) : 0.5;
	} else if (pace.known) {
		w = 1;
		odds.x = odds.v = 0;
	} else {
		pace.x = pace.v = 0;
	}
	if (!(odds.known && pace.known))
		c = 0;
	m->known = odds.known || pace.known;
	m->pace_weight = w;
	m->log_time = w * pace.x + (1 - w) * odds.x;
	m->error = sqrt(fmax(w * w * pace.v + (1 - w) * (1 - w) * odds.v +
			     2 * w * (1 - w) * c, 0));
}

void cof_evidence_measure(const struct cof_evidence *ev,
			  struct cof_measure *out)
{
	double all = ev->a.inside + ev->a.outside, slope;
	struct estimate odds, pace, each;

	*out = (struct cof_measure){ 0 };
	out->share = all > 0 ? ev->a.inside / all : 0;
	odds = of_odds(ev);
	pace = of_pace(ev, &slope);
	join(out, odds, pace, odds.known && pace.known ?
	     slope * covariance(ev) : 0);
	each = of_each(ev);
	if (!each.known || (out->known && each.v >= out->error * out->error))
		return;
	out->log_time = each.x;
	out->error = sqrt(each.v);
	out->pace_weight = 1;
	out->known = true;
}

/* -- The test -------------------------------------------------------------- */

static bool is_significant(const struct cof_measure *m, double error)
{
	double t = COF_TUNE(evidence_spread) * COF_TUNE(evidence_spread);
	double v = m->error * m->error;

	if (v <= 0)
		return m->log_time != 0;
	return 0.5 * log(v / (v + t)) +
	       m->log_time * m->log_time * t / (2 * v * (v + t)) >= -log(error);
}

/* Half the width of the test's confidence interval. */
static double half_width(double e, double error)
{
	double t = COF_TUNE(evidence_spread) * COF_TUNE(evidence_spread),
	       v = e * e;

	return sqrt(v * (v + t) / t *
		    (2 * -log(error) + log((v + t) / v)));
}

void cof_measure_join(struct cof_measure *m, double log_time, double v)
{
	double own = m->known ? m->error * m->error : INFINITY, w;

	if (own <= 0)
		return;
	w = m->known ? v / (v + own) : 0;	/* weight of *m */
	m->log_time = w * m->log_time + (1 - w) * log_time;
	m->error = sqrt(m->known ? w * own : v);
	m->known = true;
}

enum cof_finding cof_measure_find(const struct cof_measure *m, double error)
{
	if (!m->known)
		return COF_FINDING_OPEN;
	if (is_significant(m, error))
		return m->log_time < 0 ? COF_FINDING_FASTER :
					 COF_FINDING_SLOWER;
	if (m->error > 0 && fabs(m->log_time) + half_width(m->error, error) <
			    COF_TUNE(evidence_equal))
		return COF_FINDING_EQUAL;
	return COF_FINDING_OPEN;
}
