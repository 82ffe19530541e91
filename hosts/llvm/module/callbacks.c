/*
 * callbacks.c - see callbacks.h
 */
#include "module/callbacks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/onstack.h"
#include "compile/build.h"
#include "compile/first_version.h"
#include "compile/profile_restore.h"
#include "compile/unit_compile.h"
#include "count/count.h"
#include "ir/copy.h"
#include "link/loader.h"
#include "module/copy_pool.h"
#include "module/idle_release.h"
#include "osr/osr.h"
#include "program/estimate.h"
#include "program/thread.h"
#include "support/fatal.h"
#include "support/recover.h"
#include "support/xcalloc.h"

/* -- First calls ----------------------------------------------------------- */

static void build_first(void *arg)
{
	struct cofl_method *m = arg;
	struct cof_version_desc desc;
	char why[256] = "no memory for its version";

	if (cofl_first_version_build(m, &desc, why, sizeof(why)) != 0 ||
	    cof_version_add(m->method, &desc) != 0)
		cofl_fatal("cannot compile %s: %s",
			   cof_method_name(m->method), why);
	atomic_store_explicit(&m->compiled, true, memory_order_release);
}

/*
 * Blocks signals, since a handler could need a first call itself, on the thread
 * that holds the lock; and cancellation.
 */
static void first_call(void *ctx, void *method)
{
	struct cofl *host = ctx;
	struct cofl_method *m = method;
	struct cofl_thread_critical c;
	char *top;

	cofl_thread_critical_enter(&c);
	cof_compile_enter();
	pthread_mutex_lock(&host->copy->lock);
	if (!atomic_load_explicit(&m->compiled, memory_order_acquire)) {
		top = cofl_thread_stack_short() ?
		      cofl_thread_big_stack() : NULL;
		if (top != NULL)
			cof_onstack(top, build_first, m);
		else
			build_first(m);
	}
	pthread_mutex_unlock(&host->copy->lock);
	cof_compile_leave();
	cofl_thread_critical_leave(&c);
}

#define FIRST_CALLS 64u

void cofl_callbacks_first_calls(struct cofl_method *method)
{
	struct cofl_method *list[FIRST_CALLS] = { method };
	struct cofl_copy *copy = method->host->copy;
	struct cofl_thread_critical c;
	size_t n = 1;

	for (size_t i = 0; i < n; i++) {
		first_call(method->host, list[i]);
		cofl_thread_critical_enter(&c);
		pthread_mutex_lock(&copy->lock);
		if (!cofl_copy_is_closed(copy))	/* else all are compiled */
			cofl_first_version_calls(list[i], list, &n,
						 FIRST_CALLS);
		pthread_mutex_unlock(&copy->lock);
		cofl_thread_critical_leave(&c);
	}
}

/* -- Builds in general ---------------------------------------------------- */

static void log_why(const struct cofl_ir *ir, const char *why)
{
	char line[512];

	snprintf(line, sizeof(line), "LLVM: %s: %s",
		 cof_method_name(ir->method->method), why);
	cof_log_line(ir->method->host->cof, line);
}

/* -- Versions without callees ---------------------------------------------- */

/*
 * With a plan that inlines nothing. If it cannot be built, the former version
 * stays.
 */
static void build_anew(void *arg)
{
	static const int never;
	struct cofl_method *m = arg;
	struct cofl_copy *copy = cofl_copy_pool_take(m->host);
	struct cofl_ir *ir = copy ? cofl_build_gather(m, copy) : NULL;
	struct cof_version_desc desc = { .size = sizeof(desc) };
	char why[256];
	int err = -COF_E_INVAL;

	if (ir != NULL) {
		err = cofl_build_plan(ir, COF_PLAN_AVERAGE, &never, &desc, why,
				      sizeof(why));
		if (err != 0)
			log_why(ir, why);
		cofl_build_drop(ir);
	}
	if (copy != NULL)
		pthread_mutex_unlock(&copy->lock);
	if (err == 0)
		cof_version_add(m->method, &desc);
}

void cofl_callbacks_rebuild(struct cofl_method *m)
{
	struct cofl_thread_critical c;
	char *top;

	cofl_thread_critical_enter(&c);
	cof_compile_enter();
	pthread_mutex_lock(&m->host->copy->lock);	/* the stack's, too */
	atomic_store_explicit(&m->claimed, true, memory_order_relaxed);
	top = cofl_thread_big_stack();
	if (top != NULL)
		cof_onstack(top, build_anew, m);
	pthread_mutex_unlock(&m->host->copy->lock);
	cof_compile_leave();
	cofl_thread_critical_leave(&c);
}

/* -- Recompiles ------------------------------------------------------------ */

/* What a worker asks LLVM for. LLVM may give up anywhere in it, most of all for
 * want of memory: then this build ends. */
struct job {
	struct cofl_ir         **ir;
	size_t                   n;
	enum cof_plan            plan;
	const int               *stop;
	struct cof_version_desc *out;
	char                    *why;
	size_t                   why_bytes;
	int                      err;

	struct cofl_method      *method;	/* gather */
	struct cofl_copy        *copy;
};

/* Do it. After an error nothing is handed out. */
static void work(cofl_recover_fn *f, struct job *job)
{
	if (!cofl_recover(f, job, job->why, job->why_bytes))
		job->err = -COF_E_NOMEM;
	for (size_t i = 0; job->err != 0 && job->out != NULL && i < job->n; i++)
		job->out[i] = (struct cof_version_desc){
			.size = sizeof(*job->out) };
}

static void do_gather(void *arg)
{
	struct job *job = arg;

	job->ir[0] = cofl_build_gather(job->method, job->copy);
}

static void *gather(void *ctx, void *method)
{
	struct cofl_copy *copy = cofl_copy_pool_take(ctx);
	struct cofl_ir *ir = NULL;
	char why[256];

	if (copy == NULL)
		return NULL;
	work(do_gather, &(struct job){
		.ir = &ir, .method = method, .copy = copy,
		.why = why, .why_bytes = sizeof(why),
	});
	pthread_mutex_unlock(&copy->lock);
	return ir;
}

static void claim(struct cofl_method *m)
{
	pthread_mutex_lock(&m->host->copy->lock);
	atomic_store_explicit(&m->claimed, true, memory_order_relaxed);
	pthread_mutex_unlock(&m->host->copy->lock);
}

/* Do it for one method, under its copy's lock; log a failure. */
static int work_on(struct cofl_ir *ir, cofl_recover_fn *f, struct job *job)
{
	char why[256] = "";

	job->ir = &ir;
	job->n = 1;
	job->why = why;
	job->why_bytes = sizeof(why);
	claim(ir->method);
	pthread_mutex_lock(&ir->copy->lock);
	work(f, job);
	pthread_mutex_unlock(&ir->copy->lock);
	if (job->err != 0)
		log_why(ir, why);
	return job->err;
}

static void do_build(void *arg)
{
	struct job *j = arg;

	j->err = j->plan == COF_PLAN_PROFILE ?
		 cofl_unit_compile_build(j->ir, j->n, j->stop, j->out, j->why,
					 j->why_bytes) :
		 cofl_build_plan(j->ir[0], j->plan, j->stop, j->out, j->why,
				 j->why_bytes);
}

static int build(void *ctx, void *handle, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	(void)ctx;
	return work_on(handle, do_build, &(struct job){
		.plan = plan, .stop = stop, .out = out });
}

/* -- Profiles -------------------------------------------------------------- */

static void do_instrument(void *arg)
{
	struct job *j = arg;

	j->err = cofl_count_build(j->ir[0], j->stop, j->out, j->why,
				  j->why_bytes);
}

static int instrument(void *ctx, void *handle, const int *stop,
		      struct cof_version_desc *out)
{
	(void)ctx;
	return work_on(handle, do_instrument, &(struct job){
		.stop = stop, .out = out });
}

static uint64_t counted(void *ctx, void *method)
{
	(void)ctx;
	return cofl_count_counted(method);
}

static int collect(void *ctx, void *handle)
{
	struct cofl_ir *ir = handle;

	(void)ctx;
	return cofl_count_collect(ir->method);
}

static size_t profile_save(void *ctx, void *method, void *buf, size_t bytes)
{
	size_t n = cofl_count_save(method, buf, bytes);

	(void)ctx;
	return n != 0 ? n : cofl_profile_restore_save(method, buf, bytes);
}

static int profile_load(void *ctx, void *method, const void *buf, size_t bytes)
{
	struct cofl_copy *copy = cofl_copy_pool_take(ctx);
	int err;

	if (copy == NULL)
		return -COF_E_NOMEM;
	err = cofl_profile_restore_load(method, copy, buf, bytes);
	pthread_mutex_unlock(&copy->lock);
	return err;
}

static int build_group(void *ctx, void *const *handles, size_t n,
		       enum cof_plan plan, const int *stop,
		       struct cof_version_desc *out)
{
	struct cofl_ir *first = handles[0];
	struct cofl_ir **ir;
	char why[256] = "";
	struct job job;

	(void)ctx;
	if (plan != COF_PLAN_PROFILE)
		return -COF_E_INVAL;
	ir = cofl_xcalloc(n, sizeof(*ir));
	for (size_t i = 0; i < n; i++) {
		ir[i] = handles[i];
		claim(ir[i]->method);
	}
	pthread_mutex_lock(&first->copy->lock);
	job = (struct job){
		.ir = ir, .n = n, .plan = plan, .stop = stop, .out = out,
		.why = why, .why_bytes = sizeof(why),
	};
	work(do_build, &job);
	pthread_mutex_unlock(&first->copy->lock);
	if (*why != '\0')
		log_why(first, why);
	free(ir);
	return job.err;
}

static void drop(void *ctx, void *handle)
{
	struct cofl_ir *ir = handle;
	struct cofl_copy *copy = ir->copy;

	(void)ctx;
	pthread_mutex_lock(&copy->lock);
	cofl_build_drop(ir);
	pthread_mutex_unlock(&copy->lock);
}

static void discard(void *ctx, void *version)
{
	(void)ctx;
	cofl_count_end(version);
	cofl_loader_unload(version);
}

static void log_line(void *ctx, const char *line)
{
	struct cofl *host = ctx;

	if (host->log != NULL)
		host->log(line);
}

void cofl_callbacks(struct cofl *host, struct cof_host *out)
{
	*out = (struct cof_host){
		.size = sizeof(*out), .name = "llvm", .ctx = host,
		.first_call = first_call, .estimate = cofl_estimate,
		.gather = gather, .build = build, .drop = drop,
		.discard = discard, .log = log_line,
		.instrument = instrument, .counted = counted,
		.collect = collect, .build_group = build_group,
		.profile_save = profile_save, .profile_load = profile_load,
		.osr = cofl_osr_run, .release_idle = cofl_idle_release,
	};
}
