/*
 * callbacks.c - estimate, gather, build, discard
 */
#include "callbacks.h"

#include <stdio.h>
#include <stdlib.h>

#include "compile.h"
#include "entry.h"
#include "host.h"
#include "inlining.h"
#include "inmono.h"
#include "internals.h"
#include "locate.h"
#include "method.h"

/*
 * What a callee costs that goes away when it is inlined: call, frame, and that
 * nothing is known of its arguments. Measured 1.5 to 2 on small methods
 * (docs/mono.md).
 */
#define CALLEE_GAIN   0.4
#define GAIN_MAX      0.6	/* of the method's own time */
#define MASK_SPEEDUP  1.05
#define NS_PER_BYTE   2000u	/* of code: what Mono's compiler takes */

/* A version libcof asked for. */
struct built {
	struct cofm_body     body;
	struct cofm_inlining in;
	struct cof_method   *inlined[COFM_INLINED_MAX];
};

static bool is_declined(const struct cofm_method *m)
{
	return atomic_load_explicit(&((struct cofm_method *)m)->declined,
				    memory_order_relaxed) != COFM_ACCEPTED;
}

/* -- Estimate ---------------------------------------------------------------- */

static double by_inlining(const struct cofm_method *m,
			  const struct cofm_inlining *in)
{
	double own = (double)cof_method_samples(m->method);
	double part = own > 0 ? CALLEE_GAIN * (double)in->samples / own : 0;

	return 1 / (1 - (part < GAIN_MAX ? part : GAIN_MAX));
}

static int estimate(void *ctx, void *method, enum cof_plan now,
		    enum cof_plan plan, struct cof_estimate *out)
{
	const struct cofm_method *m = method;
	struct cofm_inlining in;

	(void)ctx, (void)now;
	if (is_declined(m))
		return 1;
	cofm_inlining_choose(m, &in);
	out->cost_ns = (uint64_t)m->size * NS_PER_BYTE * (1 + in.n);
	switch (plan) {
	case COF_PLAN_AVERAGE:
		out->speedup = m->has_arrays && m->has_loops ? MASK_SPEEDUP : 0;
		break;
	case COF_PLAN_SPEED:
		out->speedup = in.n > 0 ? by_inlining(m, &in) : 0;
		break;
	default:
		out->speedup = 0;
	}
	return out->speedup > 1 ? 0 : 1;
}

/* -- Gather ------------------------------------------------------------------ */

/* False: Mono will not compile it again. Under host->compiling. */
static bool compile_copy(struct cofm_method *m, struct cof_version_desc *copy)
{
	struct cofm_body body;
	int err;

	if (!cofm_enter(m->host))
		return false;
	err = cofm_compile(m, m->host->opt, false, &body);
	cofm_leave();
	*copy = (struct cof_version_desc){ .size = sizeof(*copy) };
	copy->start = body.code;
	copy->size_bytes = body.size;
	return err == 0;
}

static enum cofm_declined redirect(struct cofm_method *m)
{
	enum cofm_declined no;

	if (!cofm_enter(m->host))
		return COFM_FAILED;
	no = cofm_entry_redirect(m);
	cofm_leave();
	return no;
}

/*
 * From here on libcof decides where callers go. The copy first: the stub must
 * lead to code that stays what it is before the entry leads to the stub.
 */
static enum cofm_declined take_over(struct cofm_method *m)
{
	struct cof_version_desc copy;

	if (!compile_copy(m, &copy) ||
	    cof_version_copy(m->method, &copy) != 0)
		return COFM_FAILED;
	return redirect(m);
}

static void *gather(void *ctx, void *method)
{
	struct cofm *host = ctx;
	struct cofm_method *m = method;

	pthread_mutex_lock(&host->compiling);
	if (!m->redirected && !is_declined(m)) {
		enum cofm_declined no = take_over(m);

		m->redirected = no == COFM_ACCEPTED;
		if (no != COFM_ACCEPTED)
			cofm_method_decline(m, no);
	}
	pthread_mutex_unlock(&host->compiling);
	return m->redirected ? m : NULL;
}

/* The IL is Mono's. */
static void drop(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
}

/* -- Build ------------------------------------------------------------------- */

static uint32_t optimizations(const struct cofm *host, enum cof_plan plan)
{
	if (plan == COF_PLAN_AVERAGE)
		return host->opt ^ host->abcrem;
	return host->opt;
}

/* Under host->compiling. */
static int compile(struct cofm_method *m, enum cof_plan plan, struct built *b)
{
	int err;

	if (plan >= COF_PLAN_SPEED)
		cofm_inlining_choose(m, &b->in);
	if (!cofm_enter(m->host))
		return -1;
	cofm_inlining_begin(&b->in);
	err = cofm_compile(m, optimizations(m->host, plan), true, &b->body);
	cofm_inlining_end(&b->in);
	cofm_leave();
	return err;
}

static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct cofm *host = ctx;
	struct cofm_method *m = ir;
	struct built *b = calloc(1, sizeof(*b));
	int err;

	(void)stop;		/* a millisecond at most */
	if (!b)
		return -1;
	pthread_mutex_lock(&host->compiling);
	err = compile(m, plan, b);
	pthread_mutex_unlock(&host->compiling);
	if (err != 0) {
		free(b);
		return -1;
	}
	for (uint32_t i = 0; i < b->in.n; i++)
		b->inlined[i] = b->in.callee[i]->method;
	out->start = b->body.code;
	out->size_bytes = b->body.size;
	out->plan = plan;
	out->data = b;
	out->inlined = b->inlined;
	out->n_inlined = b->in.n;
	return 0;
}

/* Version 0 has no data, and is Mono's. */
static void discard(void *ctx, void *version)
{
	struct cofm *host = ctx;
	struct built *b = version;

	if (!b)
		return;
	if (cofm_enter(host)) {
		cofm_body_free(host, &b->body);
		cofm_leave();
	}
	free(b);
}

static uint64_t shape(void *ctx, void *method)
{
	(void)ctx;
	return ((struct cofm_method *)method)->shape;
}

static void log_line(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

struct cof_host cofm_callbacks(struct cofm *host)
{
	return (struct cof_host){
		.size = sizeof(struct cof_host), .name = "mono", .ctx = host,
		.estimate = estimate, .gather = gather, .build = build,
		.drop = drop, .discard = discard, .log = log_line,
		.identity = host->identity, .identity_bytes = host->identity_bytes,
		.shape = shape, .locate = cofm_locate,
		.near = (const void *)COFM_NEAR,
	};
}
