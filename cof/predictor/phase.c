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
#define LASTING     4u		/* windows of a phase that is worth knowing */
#define NEW         3u		/* windows alike in a row that make one */
#define PLAIN       0.2		/* so much more like another phase: no noise */
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

	if (!(from->calls > 0) && !(from->sum.mass > 0))
		return;
	b = make_body(part, from->number);
	b->seen = tick;
	b->calls += from->calls;
	if (!(from->sum.mass > 0))
		return;
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
	for (uint32_t i = 0; i < to->n; i++) {
		to->part[i].calls *= keep;
		for (uint32_t k = 0; k < to->part[i].n; k++)
			to->part[i].body[k].calls *= keep;
	}
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
		float calls = (float)s[i].calls, pace = s[i].pace;
		struct cof_phase_body body = {
			.number = s[i].number, .calls = calls * pace,
		};
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

/* A method that is in one of the two, or in both; a part is NULL if not. */
struct cell {
	const struct cof_method     *method;
	const struct cof_phase_part *a, *b;	/* here, there */
	double                       q, p;	/* shares here, there */
};

struct cells {
	uint32_t    n;
	struct cell cell[2 * COF_PHASE_PARTS];
};

static void cells_make(struct cells *c, const struct cof_phase_vector *here,
		       const struct cof_phase_vector *there)
{
	c->n = 0;
	for (uint32_t i = 0; i < there->n; i++) {
		const struct cof_phase_part *b = &there->part[i];
		const struct cof_phase_part *a = part_of(here, b->method);

		c->cell[c->n++] = (struct cell){
			b->method, a, b, a ? a->calls / here->sum.mass : 0,
			b->calls / there->sum.mass,
		};
	}
	for (uint32_t i = 0; i < here->n; i++) {
		const struct cof_phase_part *a = &here->part[i];

		if (!part_of(there, a->method))
			c->cell[c->n++] = (struct cell){
				a->method, a, NULL, a->calls / here->sum.mass,
				0,
			};
	}
}

static const struct cof_phase_inlined *
inlined_of(const struct cof_phase_table *t, const struct cof_method *method,
	   uint32_t number)
{
	for (uint32_t i = 0; i < COF_PHASE_INLINED; i++)
		if (t->inlined[i].into == method &&
		    t->inlined[i].number == number)
			return &t->inlined[i];
	return NULL;
}

/* How much of the method is in that version. */
static double part_in(const struct cof_phase_part *part, uint32_t number)
{
	const struct cof_phase_body *b = part ? body_of(part, number) : NULL;

	return b && part->calls > 0 ? fmin(b->calls / part->calls, 1) : 0;
}

/* What one has too much of, to those inlined in it that have too little. */
static void give_back(const struct cof_phase_table *t, struct cells *c,
		      struct cell *from, bool is_here)
{
	const struct cof_phase_part *part = is_here ? from->a : from->b;
	const struct cof_phase_part *other = is_here ? from->b : from->a;
	double *have = is_here ? &from->q : &from->p;
	double most = is_here ? from->q - from->p : from->p - from->q;

	for (uint32_t k = 0; part && k < part->n && most > 0; k++) {
		uint32_t number = part->body[k].number;
		const struct cof_phase_inlined *in =
			inlined_of(t, from->method, number);
		double left = most *
			(part_in(part, number) - part_in(other, number));

		for (uint32_t i = 0; in && i < c->n && left > 0; i++) {
			struct cell *to = &c->cell[i];
			double lack = is_here ? to->p - to->q : to->q - to->p;

			for (uint32_t m = 0; m < in->n && lack > 0; m++) {
				if (in->of[m] != to->method)
					continue;
				lack = lack < left ? lack : left;
				*(is_here ? &to->q : &to->p) += lack;
				*have -= lack;
				left -= lack;
				break;
			}
		}
	}
}

/* Of a window with a signature: 0 to 1. */
static double alike(const struct cof_phase_table *t,
		    const struct cof_phase_vector *here,
		    const struct cof_phase_vector *there, double unknown)
{
	double overlap = 0, lost = 0, v, q = 1, p = 1;
	struct cells c;

	if (!(here->sum.mass > 0) || !(there->sum.mass > 0))
		return 0;
	v = variance(&here->sum) + variance(&there->sum);
	cells_make(&c, here, there);
	for (uint32_t i = 0; i < c.n; i++) {
		give_back(t, &c, &c.cell[i], true);
		give_back(t, &c, &c.cell[i], false);
	}
	for (uint32_t i = 0; i < c.n; i++) {
		const struct cell *at = &c.cell[i];

		if (at->p < BIG_THERE && at->q < BIG_HERE)
			continue;
		overlap += fmin(at->q, at->p) *
			   (at->a && at->b ?
			    part_overlap(at->a, at->b, unknown) : 1);
		lost += loss(at->p, v);
		q -= at->q;
		p -= at->p;
	}
	/* The rest is one cell. */
	q = fmax(q, 0);
	p = fmax(p, 0);
	return corrected(overlap + fmin(q, p), lost + loss(fmin(p, 1), v));
}

/* -- Phases ----------------------------------------------------------------- */

/* The one it is most like, `bound` at least; not `but`. */
static struct cof_phase *recognize(struct cof_phase_table *p,
				   const struct cof_phase *but, double bound)
{
	struct cof_phase *best = NULL;

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++) {
		struct cof_phase *k = &p->known[i];
		double a = k->id && k != but ?
			   alike(p, &p->window, &k->learned, UNKNOWN) : 0;

		if (a >= bound && a > 0) {
			bound = a;
			best = k;
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
	at->windows = NEW - 1;
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

static void learn(struct cof_phase_table *p)
{
	vector_add(&p->now->learned, &p->window, KEEP);
	if (p->now->windows < LASTING)
		p->now->windows++;
}

/* What did not last was none: it would only be taken for others. */
static void end(struct cof_phase_table *p)
{
	if (p->now->windows < LASTING)
		p->now->id = 0;
	p->now = p->maybe = NULL;
	p->ended = true;
	p->wanders = false;
}

/* A window between two phases. */
static void look_for(struct cof_phase_table *p, double bound)
{
	struct cof_phase *known = recognize(p, NULL, bound);

	if (known && (!p->wanders || known == p->maybe)) {
		begin(p, known, true);
		learn(p);
		return;
	}
	p->maybe = known;
	if (alike(p, &p->window, &p->between, 1) < bound) {
		p->between = p->window;
		p->in_row = 1;
		p->wanders = true;
	} else {
		vector_add(&p->between, &p->window, 1);
		if (++p->in_row >= NEW)
			begin(p, make(p), false);
	}
}

/*
 * A window in a phase. One that is plainly of another is not taken for noise,
 * and may be like this one too, if that was learned from both.
 */
static void stay_or_leave(struct cof_phase_table *p, double bound)
{
	double a = alike(p, &p->window, &p->now->learned, 1);
	double plain = fmax(a + PLAIN, (1 + bound) / 2);

	p->similarity = (uint32_t)(a * 1000 + 0.5);
	if (recognize(p, p->now, plain)) {
		end(p);
		look_for(p, bound);
	} else if (a >= bound) {
		p->noise = p->unlike;
		p->unlike = false;
		learn(p);
	} else if (!p->unlike) {
		p->unlike = true;
		p->between = p->window;
		p->in_row = 1;
	} else {
		end(p);
		look_for(p, bound);
	}
}

/* Of a version once. The one noted first makes room. */
static void note_inlined(struct cof_phase_table *p,
			 const struct cof_phase_sample *s)
{
	struct cof_phase_inlined *in;

	if (inlined_of(p, s->method, s->number))
		return;
	in = &p->inlined[p->n_inlined++ % COF_PHASE_INLINED];
	*in = (struct cof_phase_inlined){
		.into = s->method, .number = s->number,
	};
	for (; in->n < s->n_inlined && in->n < COF_PHASE_CALLEES; in->n++)
		in->of[in->n] = s->inlined[in->n];
}

void cof_phase_turn(struct cof_phase_table *p, const struct cof_phase_sample *s,
		     uint32_t n, uint32_t all, uint32_t same)
{
	p->ended = p->began = p->back = p->noise = p->forgot = false;
	p->judged = false;
	p->similarity = 0;
	for (uint32_t i = 0; i < n; i++)
		if (s[i].n_inlined > 0 && s[i].calls > 0)
			note_inlined(p, &s[i]);
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
