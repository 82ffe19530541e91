/*
 * callbacks.c - see callbacks.h
 */
#include "module/callbacks.h"

#include <stdio.h>
#include <stdlib.h>

#include "compile/build.h"
#include "compile/profile_restore.h"
#include "compile/unit_compile.h"
#include "count/count.h"
#include "ir/copy.h"
#include "link/loader.h"
#include "module/copy_pool.h"
#include "module/idle_release.h"
#include "osr/osr.h"
#include "profile/collect.h"
#include "profile/counting.h"
#include "program/estimate.h"
#include "support/recover.h"

/* -- Builds in general ---------------------------------------------------- */

static void log_why(const struct cofl_ir *ir, const char *why)
{
	char line[512];

	snprintf(line, sizeof(line), "LLVM: %s: %s",
		 cof_method_name(ir->method->method), why);
	cof_log_line(ir->method->host->cof, line);
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

	struct cofl_copy        *copy;
	struct cofl_method      *method;	/* gather, load */
	const void              *profile;	/* load */
	size_t                   profile_bytes;
};

/* Do it. After an error nothing is handed out. */
static void work(cofl_recover_fn *f, struct job *job)
{
	if (job->copy->is_spoilt)
		snprintf(job->why, job->why_bytes, "LLVM gave up before");
	if (job->copy->is_spoilt ||
	    !cofl_copy_try(job->copy, f, job, job->why, job->why_bytes))
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

/* Do it for one method, under its copy's lock; log a failure. */
static int work_on(struct cofl_ir *ir, cofl_recover_fn *f, struct job *job)
{
	char why[256] = "";

	job->ir = &ir;
	job->n = 1;
	job->copy = ir->copy;
	job->why = why;
	job->why_bytes = sizeof(why);
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
	return cofl_collect_counted(method);
}

static int collect(void *ctx, void *handle)
{
	struct cofl_ir *ir = handle;

	(void)ctx;
	return cofl_collect_profile(ir->method);
}

static size_t profile_save(void *ctx, void *method, void *buf, size_t bytes)
{
	size_t n = cofl_collect_save(method, buf, bytes);

	(void)ctx;
	return n != 0 ? n : cofl_profile_restore_save(method, buf, bytes);
}

static void do_load(void *arg)
{
	struct job *j = arg;

	j->err = cofl_profile_restore_load(j->method, j->copy, j->profile,
					   j->profile_bytes);
}

static int profile_load(void *ctx, void *method, const void *buf, size_t bytes)
{
	char why[256];
	struct job job = {
		.method = method, .copy = cofl_copy_pool_take(ctx),
		.profile = buf, .profile_bytes = bytes,
		.why = why, .why_bytes = sizeof(why),
	};

	if (job.copy == NULL)
		return -COF_E_NOMEM;
	work(do_load, &job);
	pthread_mutex_unlock(&job.copy->lock);
	return job.err;
}

static int build_unit(void *ctx, void *const *handles, size_t n,
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
	ir = calloc(n, sizeof(*ir));
	if (ir == NULL)
		return -COF_E_NOMEM;
	for (size_t i = 0; i < n; i++)
		ir[i] = handles[i];
	pthread_mutex_lock(&first->copy->lock);
	job = (struct job){
		.ir = ir, .n = n, .copy = first->copy,
		.plan = plan, .stop = stop, .out = out,
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
	cofl_counting_end(version);
	cofl_loader_unload(ctx, version);
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
		.estimate = cofl_estimate,
		.gather = gather, .build = build, .drop = drop,
		.discard = discard, .log = log_line,
		.instrument = instrument, .counted = counted,
		.collect = collect, .build_unit = build_unit,
		.profile_save = profile_save, .profile_load = profile_load,
		.osr = cofl_osr_run, .osr_try = cofl_osr_try,
		.release_idle = cofl_idle_release,
	};
}
