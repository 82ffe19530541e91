/*
 * callbacks.c - gather, instrument, collect, build, discard
 */
#include "compile/callbacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "compile/call_profile.h"
#include "compile/compile.h"
#include "compile/entries.h"
#include "compile/entry.h"
#include "compile/estimate.h"
#include "vm/host.h"
#include "compile/inlining.h"
#include "vm/attach.h"
#include "vm/tuning.h"
#include "method/locate.h"
#include "method/method.h"

/* A version libcof asked for. */
struct built {
	struct cofm_version  version;
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
	if (err == 0)
		copy->data = cofm_method_first(m->domain);
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
	if (cof_version_copy(m->method, &copy) != 0) {
		cofm_method_first_gone(copy.data);
		return COFM_FAILED;
	}
	m->copy = copy.start;
	return redirect(m);
}

/* Nothing is known of the method if Mono ended meanwhile. */
static bool is_final(struct cofm *host, enum cofm_declined no)
{
	return no != COFM_ACCEPTED && no != COFM_EARLY &&
	       atomic_load_explicit(&host->running, memory_order_acquire);
}

/* The caller holds the domains. */
static void try_to_take_over(struct cofm_method *m)
{
	pthread_mutex_lock(&m->host->compiling);
	if (cofm_method_is_live(m) && !m->redirected &&
	    !cofm_method_is_declined(m)) {
		enum cofm_declined no = take_over(m);

		m->redirected = no == COFM_ACCEPTED;
		if (is_final(m->host, no))
			cofm_method_decline(m, no);
		else if (no == COFM_ACCEPTED || no == COFM_EARLY)
			cof_method_declined(m->method, no);
	}
	pthread_mutex_unlock(&m->host->compiling);
}

static void take_over_once(struct cofm_method *m)
{
	cofm_domains_hold();
	try_to_take_over(m);
	cofm_domains_release();
}

/*
 * Libcof has what gather() returned for each build of the method, also in its
 * next life, in which Mono has compiled it anew. The caller holds the domains
 * until it has used the method. False: it is not live, or stays as it is.
 */
static bool begin(struct cofm_method *m)
{
	cofm_domains_hold();
	try_to_take_over(m);
	return cofm_method_is_live(m) && m->redirected;
}

static void *gather(void *ctx, void *method)
{
	struct cofm *host = ctx;
	struct cofm_method *m = method;
	const struct timespec soon = {
		.tv_nsec = (long)COFM_TUNE(early_nap_us) * 1000,
	};
	uint32_t tries = host->takes_all ? COFM_TUNE(early_tries) : 0;

	take_over_once(m);
	/* Mono reports a method before it has initialized its class. */
	for (uint32_t i = 0; i < tries && !m->redirected &&
	     !cofm_method_is_declined(m); i++) {
		nanosleep(&soon, NULL);
		take_over_once(m);
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
	int err;

	(void)ctx, (void)stop;
	err = begin(ir) ? cofm_entries_count(ir, out) : -1;
	cofm_domains_release();
	return err;
}

static uint64_t counted(void *ctx, void *method)
{
	(void)ctx;
	return cofm_entries_counted(method);
}

static int collect_live(struct cofm_method *m)
{
	struct cofm_inlining in;

	cofm_inlining_choose(m, &in);
	if (in.n == 0) {
		cofm_call_profile_refuse(m);
		return -1;
	}
	cofm_call_profile_set(m, &in);
	return 0;
}

/* The profile is the hot callees. */
static int collect(void *ctx, void *ir)
{
	int err;

	(void)ctx;
	cofm_domains_hold();
	err = cofm_method_is_live(ir) ? collect_live(ir) : -1;
	cofm_domains_release();
	return err;
}

static size_t profile_save(void *ctx, void *method, void *buf, size_t bytes)
{
	(void)ctx;
	return cofm_call_profile_save(method, buf, bytes);
}

static int profile_load(void *ctx, void *method, const void *buf, size_t bytes)
{
	int err;

	(void)ctx;
	cofm_domains_hold();
	err = cofm_method_is_live(method) ?
		      cofm_call_profile_load(method, buf, bytes) : -1;
	cofm_domains_release();
	return err;
}

/* A version that was slower is not tried in the next run. */
static void trial_result(void *ctx, void *method, void *version, int stays,
			 unsigned permille, enum cof_plan over)
{
	(void)ctx, (void)version, (void)permille, (void)over;
	if (!stays)
		cofm_call_profile_refuse(method);
}

/* -- Build ----------------------------------------------------------------- */

/* Only option stress builds with plan AVERAGE: nothing is inlined. */
static void choose(struct cofm_method *m, enum cof_plan plan,
		   struct cofm_call_profile *p)
{
	if (plan == COF_PLAN_PROFILE && cofm_call_profile_get(m, p)) {
		/* A former run may not have kept frames. */
		if (m->host->keeps_frames)
			p->in.n = 0;
		return;
	}
	if (plan >= COF_PLAN_SPEED)
		cofm_inlining_choose(m, &p->in);
}

/* Under host->compiling. */
static int compile(struct cofm_method *m, struct built *b)
{
	uint32_t marked;
	int err;

	if (!cofm_attach_enter(m->host))
		return -1;
	marked = cofm_inlining_begin(&b->in);
	err = cofm_compile(m, m->host->opt, true, &b->body);
	cofm_inlining_end(&b->in, marked);
	cofm_attach_leave();
	return err;
}

/* List the inlined callees that libcof knows. Returns how many. */
static size_t list_inlined(const struct cofm_method *m, struct built *b)
{
	size_t n = 0;

	for (uint32_t i = 0; i < b->in.n; i++) {
		struct cofm_method *callee = cofm_method_find(
			m->host, m->domain, b->in.callee[i]);

		if (callee)
			b->inlined[n++] = callee->method;
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

/* NULL: Mono does not compile it, or there is no memory. */
static struct built *build_live(struct cofm_method *m, enum cof_plan plan)
{
	struct built *b = calloc(1, sizeof(*b));
	struct cofm_call_profile p = { .life = 0 };
	struct cofm *host = m->host;
	int err;

	if (!b)
		return NULL;
	choose(m, plan, &p);
	b->in = p.in;
	pthread_mutex_lock(&host->compiling);
	err = compile(m, b);
	pthread_mutex_unlock(&host->compiling);
	if (err != 0) {
		free(b);
		return NULL;
	}
	if (b->body.manager)
		cofm_body_keep(&b->body);
	if (plan == COF_PLAN_SPEED)
		cofm_call_profile_set(m, &b->in);
	return b;
}

static void describe(const struct cofm_method *m, enum cof_plan plan,
		     struct built *b, struct cof_version_desc *out)
{
	out->start = b->body.code;
	out->size_bytes = b->body.size;
	out->plan = plan;
	out->data = &b->version;
	out->inlined = b->inlined;
	out->n_inlined = list_inlined(m, b);
	say_inlined(m, b, out->n_inlined);
}

static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct built *b;

	(void)ctx, (void)stop;	/* a build takes a millisecond at most */
	b = begin(ir) ? build_live(ir, plan) : NULL;
	if (b)
		describe(ir, plan, b, out);
	cofm_domains_release();
	return b ? 0 : -1;
}

static void discard(void *ctx, void *version)
{
	struct cofm_version *v = version;
	struct built *b = version;

	if (!v || v->is_monos) {
		cofm_method_first_gone(v);
		return;
	}
	if (b->body.manager)
		cofm_body_free(ctx, &b->body);
	free(b);
}

static int estimate(void *ctx, void *method, enum cof_plan now,
		    enum cof_plan plan, struct cof_estimate *out)
{
	int no = 1;

	cofm_domains_hold();
	if (cofm_method_is_live(method))
		no = cofm_estimate(ctx, method, now, plan, out);
	cofm_domains_release();
	return no;
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
	size_t n_reasons;
	const struct cof_reason *reasons = cofm_method_reasons(&n_reasons);

	return (struct cof_host){
		.size = sizeof(struct cof_host), .name = "mono", .ctx = host,
		.estimate = estimate, .gather = gather, .build = build,
		.drop = drop, .discard = discard, .log = log_line,
		.instrument = instrument, .counted = counted,
		.collect = collect, .profile_save = profile_save,
		.profile_load = profile_load, .trial_result = trial_result,
		.identity = host->identity,
		.identity_bytes = host->identity_bytes,
		.shape = shape, .locate = cofm_locate,
		.near = (const void *)COFM_NEAR,
		.reasons = reasons, .n_reasons = n_reasons,
	};
}
