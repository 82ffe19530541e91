/*
 * host.c - see host.h
 */
#include "bench/stepped/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stepped/machine.h"
#include "code/method.h"

#define CODE_LEAST 64u
#define CALL_AT    11u
#define GATHER_NS  200000u	/* to read a method's IR */
#define RELEASE_NS 3000000u	/* to give back memory */

/* -- Versions -------------------------------------------------------------- */

double version_speed(const struct version *v, unsigned kind)
{
	const struct method *m = v->method;
	double speed = m->speed[v->plan];

	if (v->plan == COF_PLAN_PROFILE)
		speed *= m->profiled + (1 - m->profiled) * v->profile[kind];
	if (v->united)
		speed *= m->united;
	return v->counting ? speed / m->counting : speed;
}

/*
 *	 0  mov rax, version; ret
 *	11  call callee; ret		libcof binds it
 */
static void write_code(struct version *v, struct cof_code *block)
{
	uint8_t *at = block->write;

	memcpy(at, "\x48\xb8", 2);
	memcpy(at + 2, &v, sizeof(v));
	memcpy(at + 10, "\xc3\xe8\0\0\0\0\xc3", 7);
	if (v->method->callee)
		v->call[0] = (struct cof_call_site){
			.rel32 = (char *)block->exec + 12,
			.callee = v->method->callee->method,
		};
}

/* 0, or -1: no memory. */
static int make(struct cof *cof, struct method *m, enum cof_plan plan,
		struct cof_version_desc *out)
{
	struct version *v = calloc(1, sizeof(*v));
	uint32_t bytes = m->code_bytes > CODE_LEAST ? m->code_bytes :
						      CODE_LEAST;

	if (!v || cof_code_alloc(cof, bytes, plan ? COF_CODE_HOT :
				 COF_CODE_FIRST, &out->block) != 0) {
		free(v);
		return -1;
	}
	v->method = m;
	v->plan = plan;
	v->start = out->block.exec;
	memcpy(v->profile, m->profile, sizeof(v->profile));
	v->inlines = m->callee && plan >= COF_PLAN_SPEED;
	write_code(v, &out->block);
	out->start = out->block.exec;
	out->size_bytes = bytes;
	out->plan = plan;
	out->data = v;
	out->calls = v->call;
	out->n_calls = m->callee && !v->inlines;
	if (v->inlines) {
		v->inlined[0] = m->callee->method;
		out->inlined = v->inlined;
		out->n_inlined = 1;
	}
	if (m->counts_entries)
		out->entries = &v->entries;
	return 0;
}

/* -- Callbacks ------------------------------------------------------------- */

static struct cof *cof_of(void *ctx)
{
	return *(struct cof **)ctx;
}

/* Every method has its first version from the start. */
static void first_call(void *ctx, void *method)
{
	(void)ctx, (void)method;
	abort();
}

static int estimate(void *ctx, void *method, enum cof_plan now,
		    enum cof_plan plan, struct cof_estimate *out)
{
	const struct method *m = method;

	(void)ctx;
	if (plan <= now || !(m->promised[plan] > 0))
		return 1;
	out->speedup = m->promised[plan] / m->promised[now];
	out->cost_ns = (uint64_t)(m->build_ns[plan] * m->told);
	return 0;
}

static void *gather(void *ctx, void *method)
{
	(void)ctx;
	machine_build(GATHER_NS);
	return method;
}

static void drop(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
}

static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct method *m = ir;

	(void)stop;
	machine_build((uint64_t)m->build_ns[plan]);
	return m->declined || make(cof_of(ctx), m, plan, out) != 0;
}

/* Its callee is in the unit, too. */
static bool is_united(void *const *ir, size_t n, const struct method *m)
{
	for (size_t i = 0; i < n; i++)
		if (m->callee && ir[i] == m->callee)
			return true;
	return false;
}

static int build_unit(void *ctx, void *const *ir, size_t n,
		       enum cof_plan plan, const int *stop,
		       struct cof_version_desc *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i].start = NULL;
		if (build(ctx, ir[i], plan, stop, &out[i]) != 0)
			out[i].start = NULL;
		else
			((struct version *)out[i].data)->united =
				is_united(ir, n, ir[i]);
	}
	return 0;
}

static void discard(void *ctx, void *version)
{
	struct version *v = version;

	(void)ctx;
	if (v->from && v->from->led == v)
		v->from->led = NULL;
	if (v->led)
		v->led->from = NULL;
	free(v);
}

static void release_idle(void *ctx)
{
	(void)ctx;
	machine_build(RELEASE_NS);
}

static void say(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

/* -- Profiles -------------------------------------------------------------- */

static int instrument(void *ctx, void *ir, const int *stop,
		      struct cof_version_desc *out)
{
	struct method *m = ir;

	(void)stop;
	machine_build((uint64_t)m->build_ns[COF_PLAN_AVERAGE]);
	if (m->declined || make(cof_of(ctx), m, COF_PLAN_NONE, out) != 0)
		return 1;
	((struct version *)out->data)->counting = true;
	memset(m->counted, 0, sizeof(m->counted));
	return 0;
}

static uint64_t sum_of(const struct method *m)
{
	uint64_t sum = 0;

	for (unsigned k = 0; k < KINDS; k++)
		sum += m->counted[k];
	return sum;
}

static uint64_t counted(void *ctx, void *method)
{
	(void)ctx;
	return sum_of(method);
}

static int collect(void *ctx, void *ir)
{
	struct method *m = ir;
	double sum = (double)sum_of(m);

	(void)ctx;
	if (!(sum > 0))
		return 1;
	for (unsigned k = 0; k < KINDS; k++)
		m->profile[k] = (double)m->counted[k] / sum;
	return 0;
}

/* A frame goes on in a version of the same code. Each call leads the frames of
 * one more loop there. */
static int osr(void *ctx, void *ir, void *version, enum cof_plan plan,
	       const int *stop, struct cof_version_desc *out)
{
	struct version *v = version;

	if (!out) {
		if (v->led)
			v->led->from = NULL;
		v->led = NULL;
		v->loops = 0;
		return 0;
	}
	if (build(ctx, ir, plan, stop, out) != 0)
		return 1;
	if (v->led)
		v->led->from = NULL;
	v->led = out->data;
	v->loops++;
	v->led->from = v;
	v->led->counting = plan == COF_PLAN_NONE;
	return 0;
}

struct cof_host host_of(struct cof **cof)
{
	return (struct cof_host){
		.size = sizeof(struct cof_host), .name = "drawn", .ctx = cof,
		.first_call = first_call, .estimate = estimate,
		.gather = gather, .build = build, .build_unit = build_unit,
		.drop = drop, .discard = discard, .log = say,
		.instrument = instrument, .counted = counted,
		.collect = collect, .osr = osr, .release_idle = release_idle,
	};
}

/* -- The program ----------------------------------------------------------- */

void host_add(struct cof *cof, struct method *m)
{
	memset(m->counted, 0, sizeof(m->counted));
	memset(m->profile, 0, sizeof(m->profile));
	if (cof_method_add(cof, m->name, m, &m->method) != 0)
		abort();
}

void host_compile(struct cof *cof, struct method *m)
{
	struct cof_version_desc desc = { .size = sizeof(desc) };

	if (make(cof, m, COF_PLAN_NONE, &desc) != 0 ||
	    cof_version_add(m->method, &desc) != 0)
		abort();
}

/* Counted entries of the method; NULL: it has no thunk. */
static _Atomic uint64_t *entries_of(const struct method *m)
{
	return m->method->thunk.entries;
}

/* One call is made. The others are added to what the thunk counted. */
static struct version *enter(const struct method *m, const void *at, uint32_t n)
{
	struct version *(*code)(void) = (struct version *(*)(void))at;
	_Atomic uint64_t *entries = entries_of(m);
	uint64_t before = entries ? *entries : 0;
	struct version *v = code();

	if (entries && *entries != before)
		*entries += n - 1;
	v->entries += n;
	return v;
}

struct version *host_enter(const struct method *m, uint32_t n)
{
	return enter(m, cof_method_stub(m->method), n);
}

struct version *host_enter_callee(const struct version *v, uint32_t n)
{
	return enter(v->method->callee, v->start + CALL_AT, n);
}
