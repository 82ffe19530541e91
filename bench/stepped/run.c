/*
 * run.c - see run.h
 */
#include "bench/stepped/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/stepped/host.h"
#include "bench/stepped/program.h"
#include "instance.h"

#define OPTIONS "mode=full,stats=none,history=none,code_mb=16,data_mb=16"
#define OFTEN   0.8	/* of the samples are in the kind's own stretch */
#define LOOPS   4u	/* of the method that has one; a frame is in one */
#define GOLDEN  0.6180339887498949

enum { LOOP_FRAME, CALL_FRAME, INNER_FRAME };

struct course {
	struct program  program;
	uint32_t        stretch;	/* of time, now */
	double          work_ns;
	double          at;		/* of the methods in turn */
	struct version *loop;		/* the frame that stays; NULL: none */
	uint32_t        loop_at;	/* the loop that it is in */
	double          leave_ns;	/* work at which it is left */
	double          sleep_at_ns;	/* work at which the program pauses */
};

static struct course course;

static const void *pc_of(struct course *c, const struct version *v,
			 unsigned kind)
{
	uint32_t bytes = v->method->code_bytes / STRETCHES;
	uint32_t stretch = v->method->goes[kind];

	if (draw(&c->program.random) > OFTEN)
		stretch = (uint32_t)(draw(&c->program.random) * STRETCHES);
	return v->start + stretch * bytes +
	       (uint32_t)(draw(&c->program.random) * bytes);
}

static const struct phase *phase_now(const struct course *c)
{
	return &c->program.phase[c->program.stretch[c->stretch].phase];
}

static unsigned kind_of(const struct course *c, const struct method *m)
{
	return phase_now(c)->kind[m - c->program.method];
}

/* `n` calls in this version, whose frame is on the stack meanwhile. */
static void spend(struct course *c, struct version *v, uint32_t n,
		  unsigned frame)
{
	struct method *m = v->method;
	unsigned kind = kind_of(c, m);
	const void *pc = pc_of(c, v, kind);
	double ns = m->call_ns / version_speed(v, kind);

	if (v->inlines)
		ns += m->callee->call_ns / m->callee->speed[v->plan];
	if (v->counting)
		m->counted[kind] += (uint64_t)n * m->counts;
	machine_frame(frame, pc);
	machine_run(pc, (uint64_t)(ns * n) + 1);
}

/* The callee, from the version's call. */
static void spend_in_callee(struct course *c, const struct version *v,
			    uint32_t n)
{
	if (v->method->callee && !v->inlines) {
		spend(c, host_enter_callee(v, n), n, INNER_FRAME);
		machine_frame(INNER_FRAME, NULL);
	}
}

static void call(struct course *c, struct method *m, uint32_t n)
{
	struct version *v = host_enter(m, n);

	spend(c, v, n, CALL_FRAME);
	spend_in_callee(c, v, n);
	machine_frame(CALL_FRAME, NULL);
	c->work_ns += n * program_work(m);
}

static struct method *next_method(struct course *c)
{
	const struct phase *phase = phase_now(c);
	double at = draw(&c->program.random);
	uint32_t i = 0;

	if (!c->program.wild)
		at = c->at = fmod(c->at + GOLDEN, 1);

	while (i + 1 < c->program.n_methods && phase->until[i] <= at)
		i++;
	return &c->program.method[i];
}

/* The first method has the loop. Its frame stays on the stack. */
static void go_round(struct course *c)
{
	struct method *m = &c->program.method[0];
	uint32_t n = m->batch;

	if (c->loop && c->work_ns >= c->leave_ns)
		c->loop = NULL;
	if (!c->loop) {
		c->loop = host_enter(m, 1);
		c->loop_at = (uint32_t)(draw(&c->program.random) * LOOPS);
		c->leave_ns = c->work_ns + 1e9 *
			draw_log(&c->program.random, c->program.family->loop_s);
	}
	while (c->loop->led && c->loop_at < c->loop->loops)
		c->loop = c->loop->led;
	spend(c, c->loop, n, LOOP_FRAME);
	spend_in_callee(c, c->loop, n);
	machine_frame(LOOP_FRAME, c->loop->start);
	c->work_ns += n * program_work(m);
}

static void pause_if_due(struct course *c)
{
	const struct family *f = c->program.family;

	if (f->run_ms > 0 && c->work_ns >= c->sleep_at_ns) {
		machine_sleep((uint64_t)(f->sleep_ms * 1e6 * 2 *
					 draw(&c->program.random)) + 1);
		c->sleep_at_ns = c->work_ns + f->run_ms * 1e6 * 2 *
					      draw(&c->program.random);
	}
}

static void run(struct course *c)
{
	const struct program *p = &c->program;

	while (c->work_ns < p->family->work_s * 1e9) {
		while (c->stretch + 1 < p->n_stretches &&
		       c->work_ns >= p->stretch[c->stretch].until_ns)
			c->stretch++;
		pause_if_due(c);
		if (draw(&c->program.random) < p->family->loop) {
			go_round(c);
		} else {
			struct method *m = next_method(c);

			call(c, m, m->batch);
		}
	}
}

void run_program(const struct family *f, uint64_t seed, uint64_t shake,
		 struct run *out)
{
	struct course *c = &course;
	struct cof *cof = NULL;
	struct cof_host host = host_of(&cof);
	char options[256];

	memset(c, 0, sizeof(*c));
	program_draw(&c->program, f, seed);
	snprintf(options, sizeof(options), "%s%s%s", OPTIONS,
		 f->options[0] ? "," : "", f->options);
	cof = machine_start(&host, options, &f->costs, shake);
	for (uint32_t i = 0; i < c->program.n_methods; i++)
		host_add(cof, &c->program.method[i]);
	for (uint32_t i = 0; i < c->program.n_methods; i++)
		host_compile(cof, &c->program.method[i]);
	run(c);
	machine_stop();
	out->work_ns = (uint64_t)c->work_ns;
	out->cpu_ns = machine_cpu_ns();
	out->waited_ns = machine_waited_ns();
	out->digest = machine_digest();
	out->flow = *cof->flow;
	machine_free();
}
