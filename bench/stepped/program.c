/*
 * program.c - see program.h
 */
#include "bench/stepped/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BATCH_NS 300000.0	/* of work in a row in one method */
#define WILD     0.25		/* part of the programs */
#define FOLLOWS  0.7		/* part of the methods */

/* -- Drawing --------------------------------------------------------------- */

double draw_in(uint64_t *random, struct range r)
{
	return r.lo + (r.hi - r.lo) * draw(random);
}

double draw_log(uint64_t *random, struct range r)
{
	return r.lo * pow(r.hi / r.lo, draw(random));
}

/* Of mean 0 and variance 1: a sum of twelve. */
static double draw_normal(uint64_t *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += draw(random);
	return sum;
}

static uint32_t draw_below(uint64_t *random, uint32_t n)
{
	return (uint32_t)(draw(random) * n);
}

/* -- Methods --------------------------------------------------------------- */

/* The parts that the cheaper plans have of what the best has. */
static const double part_of_gain[COF_PLAN_COUNT] = { 0, 0.4, 0.7, 0.85, 1 };
static const double part_of_cost[COF_PLAN_COUNT] = { 0.1, 0.1, 0.4, 0.8, 1 };

static const struct range hurting = { 0.02, 0.35 };	/* log of slower */

/* A host promises what the plan brings as a rule. */
static void draw_plans(struct program *p, struct method *m)
{
	const struct family *f = p->family;
	double rule = (f->gain.lo + f->gain.hi) / 2, mine, most;

	mine = draw_in(&p->random, f->gain);
	most = draw_log(&p->random, f->build_ms) * 1e6;
	m->promised[COF_PLAN_NONE] = m->speed[COF_PLAN_NONE] = 1;
	m->build_ns[COF_PLAN_NONE] = most * part_of_cost[COF_PLAN_NONE];
	for (int i = COF_PLAN_STATIC; i < COF_PLAN_COUNT; i++) {
		double log_speed = mine * part_of_gain[i] +
				   f->error * draw_normal(&p->random) / 2;

		if (draw(&p->random) < f->hurt)
			log_speed = -draw_in(&p->random, hurting);
		m->speed[i] = exp(log_speed);
		m->promised[i] = exp(rule > 0.02 ? rule * part_of_gain[i] :
						   0.1 * part_of_gain[i]);
		m->build_ns[i] = most * part_of_cost[i];
	}
	m->told = exp(draw_normal(&p->random) / 3);
}

static void draw_method(struct program *p, uint32_t i)
{
	const struct family *f = p->family;
	struct method *m = &p->method[i];

	memset(m, 0, sizeof(*m));
	snprintf(m->name, sizeof(m->name), "m%u", i);
	m->call_ns = draw_log(&p->random, f->call_us) * 1000;
	draw_plans(p, m);
	m->profiled = draw_in(&p->random, f->profiled);
	m->united = 1 + 0.1 * draw(&p->random);
	m->counting = 1.2 + draw(&p->random);
	m->code_bytes = (uint32_t)(draw_log(&p->random, f->code_kb) * 1024);
	m->counts = 1 + draw_below(&p->random, 50);
	for (unsigned k = 0; k < KINDS; k++)
		m->goes[k] = (i + k) % STRETCHES;
	m->follows = draw(&p->random) < FOLLOWS;
	m->declined = draw(&p->random) < f->declined;
	m->counts_entries = draw(&p->random) < f->entries;
}

/* Callees are of the last quarter, and call nobody. */
static void draw_callee(struct program *p, uint32_t i)
{
	uint32_t n = p->n_methods / 4;

	if (draw(&p->random) < p->family->called && i + n < p->n_methods &&
	    n > 0)
		p->method[i].callee = &p->method[p->n_methods - 1 -
						 draw_below(&p->random, n)];
}

double program_work(const struct method *m)
{
	return m->call_ns + (m->callee ? m->callee->call_ns : 0);
}

static void set_batch(struct method *m)
{
	double n = BATCH_NS / program_work(m);

	m->batch = n < 1 ? 1 : (uint32_t)n;
}

/* -- Phases ---------------------------------------------------------------- */

/* Ranks in a phase: `shared` of the methods have the same in all. */
static void draw_phase(struct program *p, uint32_t at, double slope)
{
	struct phase *phase = &p->phase[at];
	double sum = 0;

	for (uint32_t i = 0; i < p->n_methods; i++) {
		const struct method *m = &p->method[i];
		bool everywhere = (double)i < p->family->shared * p->n_methods;
		double share = pow(i + 1.0, -slope);

		if (!everywhere && i % p->n_phases != at)
			share = 0;
		if (!everywhere)	/* as hot as the first ones */
			share *= pow(p->n_methods, slope / 2);
		sum += share / (program_work(m) * m->batch);
		phase->until[i] = sum;
		phase->kind[i] = (uint8_t)((i + (m->follows ? at : 0)) %
					   p->family->kinds);
	}
	for (uint32_t i = 0; i < p->n_methods; i++)
		phase->until[i] /= sum;
}

static void draw_stretches(struct program *p)
{
	double at_ns = 0;
	uint32_t phase = 0, n = 0;

	while (at_ns < p->family->work_s * 1e9 && n < STRETCHES_MOST) {
		at_ns += draw_log(&p->random, p->family->period_s) * 1e9;
		p->stretch[n].until_ns = at_ns;
		p->stretch[n++].phase = phase;
		if (p->n_phases > 1)
			phase = (phase + 1 +
				 draw_below(&p->random, p->n_phases - 1)) %
				p->n_phases;
	}
	p->n_stretches = n;
}

void program_draw(struct program *p, const struct family *f, uint64_t seed)
{
	double slope;

	memset(p, 0, sizeof(*p));
	p->family = f;
	p->random = seed;
	p->n_methods = (uint32_t)draw_in(&p->random, f->methods);
	p->n_phases = (uint32_t)(draw_in(&p->random, f->phases) + 0.5);
	p->wild = draw(&p->random) < WILD;
	slope = draw_in(&p->random, f->slope);
	for (uint32_t i = 0; i < p->n_methods; i++)
		draw_method(p, i);
	for (uint32_t i = 0; i < p->n_methods; i++)
		draw_callee(p, i);
	for (uint32_t i = 0; i < p->n_methods; i++)
		set_batch(&p->method[i]);
	for (uint32_t i = 0; i < p->n_phases; i++)
		draw_phase(p, i, slope);
	draw_stretches(p);
}
