/*
 * phase.c - windows, signatures, recognition; see phase.h
 */
#include "phase.h"

#include <math.h>
#include <stddef.h>

#define KEEP        0.875f	/* of what was learned, per window */
#define BIG_THERE   (1.0 / 32)	/* shares that count by themselves: of the */
#define BIG_HERE    (1.0 / 16)	/* signature, and of the window */
#define BODY_HERE   24.0f	/* samples of a version that say where in it the */
#define BODY_THERE  16.0f	/* time goes: in a window, in a signature */
#define UNKNOWN     0.85	/* a body that was never seen in that phase */
#define EXPECT_MIN  0.3		/* noisier than that is not corrected */
#define HALF_MEAN   0.39894228	/* sqrt(2/pi)/2 */

/* -- Sums ------------------------------------------------------------------- */

static void sum_add(struct cof_phase_sum *to, const struct cof_phase_sum *from,
		    float keep)
{
	to->mass = to->mass * keep + from->mass;
	to->mass2 = to->mass2 * keep * keep + from->mass2;
}

/* 1/n of the samples that say as much. */
static double variance(const struct cof_phase_sum *s)
{
	return s->mass > 0 ? (double)s->mass2 / ((double)s->mass * s->mass) : 1;
}

/* What an overlap of two draws from the same distribution loses for a cell of
 * share p. */
static double loss(double p, double v)
{
	return HALF_MEAN * sqrt(p * (1 - p) * v);
}

static double corrected(double overlap, double lost)
{
	double expected = 1 - lost > EXPECT_MIN ? 1 - lost : EXPECT_MIN;
	double r = overlap / expected;

	return r < 1 ? r : 1;
}

/* -- Vectors ---------------------------------------------------------------- */

static const struct cof_phase_part *part_of(const struct cof_phase_vector *v,
					    const struct cof_method *method)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (v->part[i].method == method)
			return &v->part[i];
	return NULL;
}

static const struct cof_phase_body *body_of(const struct cof_phase_part *part,
					    uint32_t number)
{
	for (uint32_t i = 0; i < part->n; i++)
		if (part->body[i].number == number)
			return &part->body[i];
	return NULL;
}

/* The method's part; for one that is not there the smallest makes room, if it is
 * smaller. NULL: none is. */
static struct cof_phase_part *make_part(struct cof_phase_vector *v,
					const struct cof_method *method,
					float calls)
{
	struct cof_phase_part *p = (struct cof_phase_part *)part_of(v, method);

	if (p)
		return p;
	if (v->n < COF_PHASE_PARTS) {
		p = &v->part[v->n++];
	} else {
		p = &v->part[0];
		for (uint32_t i = 1; i < v->n; i++)
			if (v->part[i].calls < p->calls)
				p = &v->part[i];
		if (p->calls >= calls)
			return NULL;
	}
	p->method = method;
	p->calls = 0;
	p->n = 0;
	return p;
}

/* The version's body; the one not seen for longest makes room. */
static struct cof_phase_body *make_body(struct cof_phase_part *part,
					uint32_t number)
{
	struct cof_phase_body *b =
		(struct cof_phase_body *)body_of(part, number);

	if (b)
		return b;
	if (part->n < COF_PHASE_BODIES) {
		b = &part->body[part->n++];
	} else {
		b = &part->body[0];
		for (uint32_t i = 1; i < part->n; i++)
			if (part->body[i].seen < b->seen)
				b = &part->body[i];
	}
	*b = (struct cof_phase_body){ .number = number };
	return b;
}

static void body_add(struct cof_phase_part *part,
		     const struct cof_phase_body *from, uint32_t tick,
		     float keep)
{
	struct cof_phase_body *b;

	if (!(from->sum.mass > 0))
		return;
	b = make_body(part, from->number);
	b->seen = tick;
	sum_add(&b->sum, &from->sum, keep);
	for (uint32_t i = 0; i < COF_SPOTS; i++)
		b->spot[i] = b->spot[i] * keep + from->spot[i];
}

/* What a body is like stays known while its method is not seen. */
static void vector_add(struct cof_phase_vector *to,
		       const struct cof_phase_vector *from, float keep)
{
	to->tick++;
	sum_add(&to->sum, &from->sum, keep);
	for (uint32_t i = 0; i < to->n; i++)
		to->part[i].calls *= keep;
	for (uint32_t i = 0; i < from->n; i++) {
		const struct cof_phase_part *f = &from->part[i];
		struct cof_phase_part *p = make_part(to, f->method, f->calls);

		if (!p)
			continue;
		p->calls += f->calls;
		for (uint32_t k = 0; k < f->n; k++)
			body_add(p, &f->body[k], to->tick, keep);
	}
}

static void window_add(struct cof_phase_vector *w,
		       const struct cof_phase_sample *s, uint32_t n,
		       uint32_t all)
{
	w->tick++;
	w->samples += all;
	w->sum.mass += (float)all;
	w->sum.mass2 += (float)all;
	for (uint32_t i = 0; i < n; i++) {
		struct cof_phase_body body = { .number = s[i].number };
		float calls = (float)s[i].calls, pace = s[i].pace;
		struct cof_phase_part *p;

		if (s[i].calls == 0)
			continue;
		w->sum.mass += calls * (pace - 1);
		w->sum.mass2 += calls * (pace * pace - 1);
		p = make_part(w, s[i].method, calls * pace);
		if (!p)
			continue;
		p->calls += calls * pace;
		for (uint32_t k = 0; k < COF_SPOTS; k++) {
			body.spot[k] = s[i].spot[k];
			body.sum.mass += s[i].spot[k];
		}
		body.sum.mass2 = body.sum.mass;
		body_add(p, &body, w->tick, 1);
	}
}

/* -- Alike? ----------------------------------------------------------------- */

static double body_overlap(const struct cof_phase_body *here,
			   const struct cof_phase_body *there)
{
	double v = variance(&here->sum) + variance(&there->sum);
	double overlap = 0, lost = 0;

	for (uint32_t i = 0; i < COF_SPOTS; i++) {
		double a = here->spot[i] / here->sum.mass;
		double b = there->spot[i] / there->sum.mass;

		overlap += a < b ? a : b;
		lost += loss(b, v);
	}
	return corrected(overlap, lost);
}

/* Within a method: the mean over its versions. `unknown`: what to take for one
 * of which nothing is known there. */
static double part_overlap(const struct cof_phase_part *here,
			   const struct cof_phase_part *there, double unknown)
{
	double sum = 0, mass = 0;

	for (uint32_t i = 0; i < here->n; i++) {
		const struct cof_phase_body *a = &here->body[i];
		const struct cof_phase_body *b = body_of(there, a->number);

		if (a->sum.mass < BODY_HERE)
			continue;
		mass += a->sum.mass;
		sum += a->sum.mass * (b && b->sum.mass >= BODY_THERE ?
				      body_overlap(a, b) : unknown);
	}
	return mass > 0 ? sum / mass : 1;
}

/* Adds up the cells of the partition. */
struct cells {
	double overlap, lost, v;
	double here, there;	/* shares that are left for the rest */
};

static double cell_add(struct cells *c, double here, double there,
		       double within)
{
	double least = here < there ? here : there;

	c->overlap += least * within;
	c->lost += loss(there, c->v);
	c->here -= here;
	c->there -= there;
	return least;
}

/* Of a window with a signature: 0 to 1. */
static double alike(const struct cof_phase_vector *here,
		    const struct cof_phase_vector *there, double unknown)
{
	struct cells c = { .here = 1, .there = 1 };

	if (!(here->sum.mass > 0) || !(there->sum.mass > 0))
		return 0;
	c.v = variance(&here->sum) + variance(&there->sum);
	for (uint32_t i = 0; i < there->n; i++) {
		const struct cof_phase_part *b = &there->part[i];
		const struct cof_phase_part *a = part_of(here, b->method);
		double p = b->calls / there->sum.mass;
		double q = a ? a->calls / here->sum.mass : 0;

		if (p >= BIG_THERE || q >= BIG_HERE)
			cell_add(&c, q, p,
				 a ? part_overlap(a, b, unknown) : 1);
	}
	for (uint32_t i = 0; i < here->n; i++) {
		const struct cof_phase_part *a = &here->part[i];
		double q = a->calls / here->sum.mass;

		if (q >= BIG_HERE && !part_of(there, a->method))
			cell_add(&c, q, 0, 1);
	}
	c.here = c.here > 0 ? c.here : 0;
	c.there = c.there > 0 ? c.there : 0;
	cell_add(&c, c.here, c.there, 1);
	return corrected(c.overlap, c.lost);
}

/* -- Phases ----------------------------------------------------------------- */

static struct cof_phase *recognize(struct cof_phase_table *p, double bound)
{
	struct cof_phase *best = NULL;

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++) {
		double a = p->known[i].id ? alike(&p->window,
						  &p->known[i].learned,
						  UNKNOWN) : 0;

		if (a >= bound && a > 0) {
			bound = a;
			best = &p->known[i];
		}
	}
	return best;
}

static struct cof_phase *make(struct cof_phase_table *p)
{
	struct cof_phase *at = &p->known[0];

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++) {
		if (p->known[i].id == 0) {
			at = &p->known[i];
			break;
		}
		if (p->known[i].used < at->used)
			at = &p->known[i];
	}
	p->forgot = at->id != 0;
	at->id = ++p->ids;
	at->learned = p->between;
	return at;
}

static void begin(struct cof_phase_table *p, struct cof_phase *phase, bool back)
{
	p->now = phase;
	p->began = true;
	p->back = back;
	p->unlike = false;
	phase->used = ++p->begun;
}

/* A window between two phases. */
static void look_for(struct cof_phase_table *p, double bound)
{
	struct cof_phase *known = recognize(p, bound);

	if (known) {
		begin(p, known, true);
		vector_add(&known->learned, &p->window, KEEP);
	} else if (alike(&p->window, &p->between, 1) >= bound) {
		vector_add(&p->between, &p->window, 1);
		begin(p, make(p), false);
	} else {
		p->between = p->window;
	}
}

/* A window in a phase. */
static void stay_or_leave(struct cof_phase_table *p, double bound)
{
	double a = alike(&p->window, &p->now->learned, 1);

	p->similarity = (uint32_t)(a * 1000 + 0.5);
	if (a >= bound) {
		p->noise = p->unlike;
		p->unlike = false;
		vector_add(&p->now->learned, &p->window, KEEP);
	} else if (!p->unlike) {
		p->unlike = true;
		p->between = p->window;
	} else {
		p->now = NULL;
		p->ended = true;
		look_for(p, bound);
	}
}

void cof_phase_turn(struct cof_phase_table *p, const struct cof_phase_sample *s,
		     uint32_t n, uint32_t all, uint32_t same)
{
	p->ended = p->began = p->back = p->noise = p->forgot = false;
	p->judged = false;
	p->similarity = 0;
	window_add(&p->window, s, n, all);
	if (p->window.samples < COF_PHASE_WINDOW)
		return;
	p->judged = true;
	if (p->now)
		stay_or_leave(p, same / 1000.0);
	else
		look_for(p, same / 1000.0);
	p->window = (struct cof_phase_vector){ .n = 0 };
}

uint32_t cof_phase_known(const struct cof_phase_table *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++)
		n += p->known[i].id != 0;
	return n;
}
