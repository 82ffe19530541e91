/*
 * callbacks.c - gather, instrument, collect, build, discard
 */
#include "compile/callbacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "compile/compile.h"
#include "compile/entries.h"
#include "compile/entry.h"
#include "compile/estimate.h"
#include "vm/host.h"
#include "compile/inlining.h"
#include "vm/attach.h"
#include "vm/internals.h"
#include "method/locate.h"
#include "method/method.h"
#include "method/call_profile.h"

/* Mode pgo: a method that came too early is tried again so often, so much
 * later. */
#define TRIES   10
#define SOON_NS 2000000

/* A version libcof asked for. */
struct built {
	struct cofm_body     body;
	struct cofm_inlining in;
	struct cof_method   *inlined[COFM_INLINED_MAX];
};

/* -- Gather ---------------------------------------------------------------- */

/* False: Mono does not compile the method again. Under host->compiling. */
static bool compile_copy(struct cofm_method *m, struct cof_version_desc *copy)
{
	struct cofm_body body;
	int err;

	if (!cofm_attach_enter(m->host))
		return false;
	err = cofm_compile(m, m->host->opt, false, &body);
	cofm_attach_leave();
	*copy = (struct cof_version_desc){ .size = sizeof(*copy) };
	copy->start = body.code;
	copy->size_bytes = body.size;
	return err == 0;
}

static enum cofm_declined redirect(struct cofm_method *m)
{
	enum cofm_declined no;

	if (!cofm_attach_enter(m->host))
		return COFM_FAILED;
	no = cofm_entry_redirect(m);
	cofm_attach_leave();
	return no;
}

/*
 * After this libcof decides where callers go. The copy is made first: before
 * the entry leads to the stub, the stub must lead to code that does not change.
 */
static enum cofm_declined take_over(struct cofm_method *m)
{
	struct cof_version_desc copy;

	if (!compile_copy(m, &copy))
		return m->too_early ? COFM_EARLY : COFM_FAILED;
	if (cof_version_copy(m->method, &copy) != 0)
		return COFM_FAILED;
	m->copy = copy.start;
	return redirect(m);
}

/* Nothing is known of the method if Mono ended meanwhile. */
static bool is_final(struct cofm *host, enum cofm_declined no)
{
	return no != COFM_ACCEPTED && no != COFM_EARLY &&
	       atomic_load_explicit(&host->running, memory_order_acquire);
}

static void try_to_take_over(struct cofm_method *m)
{
	pthread_mutex_lock(&m->host->compiling);
	if (!m->redirected && !cofm_method_is_declined(m)) {
		enum cofm_declined no = take_over(m);

		m->redirected = no == COFM_ACCEPTED;
		if (is_final(m->host, no))
			cofm_method_decline(m, no);
	}
	pthread_mutex_unlock(&m->host->compiling);
}

static void *gather(void *ctx, void *method)
{
	struct cofm *host = ctx;
	struct cofm_method *m = method;
	const struct timespec soon = { .tv_nsec = SOON_NS };

	try_to_take_over(m);
	/* Mono reports a method before it has initialized its class. */
	for (int i = 0; i < TRIES && host->takes_all && !m->redirected &&
	     !cofm_method_is_declined(m); i++) {
		nanosleep(&soon, NULL);
		try_to_take_over(m);
	}
	return m->redirected ? m : NULL;
}

/* Nothing to free: the IL is Mono's. */
static void drop(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
}

/* -- Profile --------------------------------------------------------------- */

static int instrument(void *ctx, void *ir, const int *stop,
		      struct cof_version_desc *out)
{
	(void)ctx, (void)stop;
	return cofm_entries_count(ir, out);
}

static uint64_t counted(void *ctx, void *method)
{
	(void)ctx;
	return cofm_entries_counted(method);
}

/* The profile is the hot callees. Without any it is a mask, if the method is
 * entered often enough. */
static int collect(void *ctx, void *ir)
{
	struct cofm_method *m = ir;
	struct cofm_inlining in;
	bool masked;

	(void)ctx;
	cofm_inlining_choose(m, &in);
	masked = in.n == 0 && cofm_estimate_mask(m, true);
	if (in.n == 0 && !masked) {
		cofm_call_profile_refuse(m);
		return -1;
	}
	cofm_call_profile_set(m, &in, masked);
	return 0;
}

static size_t profile_save(void *ctx, void *method, void *buf, size_t bytes)
{
	(void)ctx;
	return cofm_call_profile_save(method, buf, bytes);
}

static int profile_load(void *ctx, void *method, const void *buf, size_t bytes)
{
	(void)ctx;
	return cofm_call_profile_load(method, buf, bytes);
}

/* A version that was slower is not tried in the next run. */
static void judged(void *ctx, void *method, void *version, int stays,
		   unsigned permille, enum cof_plan over)
{
	(void)ctx, (void)version, (void)permille, (void)over;
	if (!stays)
		cofm_call_profile_refuse(method);
}

/* -- Build ----------------------------------------------------------------- */

/* Only option stress builds with plan AVERAGE: a mask without a profile. */
static uint32_t optimizations(const struct cofm *host, enum cof_plan plan,
			      const struct cofm_call_profile *p)
{
	if (plan == COF_PLAN_AVERAGE ||
	    (plan == COF_PLAN_PROFILE && p->masked))
		return host->opt ^ host->abcrem;
	return host->opt;
}

static void choose(struct cofm_method *m, enum cof_plan plan,
		   struct cofm_call_profile *p)
{
	if (plan == COF_PLAN_PROFILE && cofm_call_profile_get(m, p))
		return;
	if (plan >= COF_PLAN_SPEED)
		cofm_inlining_choose(m, &p->in);
}

/* Under host->compiling. */
static int compile(struct cofm_method *m, uint32_t opt, struct built *b)
{
	uint32_t marked;
	int err;

	if (!cofm_attach_enter(m->host))
		return -1;
	marked = cofm_inlining_begin(&b->in);
	err = cofm_compile(m, opt, true, &b->body);
	cofm_inlining_end(&b->in, marked);
	cofm_attach_leave();
	return err;
}

/* List the inlined callees that libcof knows. Returns how many. */
static size_t list_inlined(struct cofm *host, struct built *b)
{
	size_t n = 0;

	for (uint32_t i = 0; i < b->in.n; i++) {
		struct cofm_method *m = cofm_method_find(host, b->in.callee[i]);

		if (m)
			b->inlined[n++] = m->method;
	}
	return n;
}

static void say_inlined(const struct cofm_method *m, const struct built *b,
			size_t n)
{
	char line[512];

	for (size_t i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "mono: %.240s: inlines %.240s",
			 cof_method_name(m->method),
			 cof_method_name(b->inlined[i]));
		cof_log_line(m->host->cof, line);
	}
}

static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct cofm *host = ctx;
	struct cofm_method *m = ir;
	struct built *b = calloc(1, sizeof(*b));
	struct cofm_call_profile p = { .masked = false };
	int err;

	(void)stop;		/* a build takes a millisecond at most */
	if (!b)
		return -1;
	choose(m, plan, &p);
	b->in = p.in;
	pthread_mutex_lock(&host->compiling);
	err = compile(m, optimizations(host, plan, &p), b);
	pthread_mutex_unlock(&host->compiling);
	if (err != 0) {
		free(b);
		return -1;
	}
	if (plan == COF_PLAN_SPEED)
		cofm_call_profile_set(m, &b->in, false);
	out->start = b->body.code;
	out->size_bytes = b->body.size;
	out->plan = plan;
	out->data = b;
	out->inlined = b->inlined;
	out->n_inlined = list_inlined(host, b);
	say_inlined(m, b, out->n_inlined);
	return 0;
}

/* Version 0 is Mono's and has no data. */
static void discard(void *ctx, void *version)
{
	struct cofm *host = ctx;
	struct built *b = version;

	if (!b)
		return;
	cofm_body_free(host, &b->body);
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
		.estimate = cofm_estimate, .gather = gather, .build = build,
		.drop = drop, .discard = discard, .log = log_line,
		.instrument = instrument, .counted = counted,
		.collect = collect, .profile_save = profile_save,
		.profile_load = profile_load, .trial_result = judged,
		.identity = host->identity, .identity_bytes = host->identity_bytes,
		.shape = shape, .locate = cofm_locate,
		.near = (const void *)COFM_NEAR,
	};
}
