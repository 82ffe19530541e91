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
#include "module/idle_release.h"
#include "osr/osr.h"
#include "program/estimate.h"
#include "program/thread.h"
#include "support/fatal.h"
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

/* Lock a copy that is not in use. If all are, open another. */
static struct cofl_copy *pool_take(struct cofl *host)
{
	struct cofl_copy *copy = NULL, **more;
	char why[256];

	pthread_mutex_lock(&host->pool_lock);
	for (uint32_t i = 0; i < host->n_pool && copy == NULL; i++)
		if (pthread_mutex_trylock(&host->pool[i]->lock) == 0)
			copy = host->pool[i];
	if (copy == NULL) {
		copy = cofl_copy_open(host->bitcode, why, sizeof(why));
		more = realloc(host->pool,
			       (host->n_pool + 1) * sizeof(*host->pool));
		if (copy == NULL || more == NULL)
			cofl_fatal("cannot be opened again");
		host->pool = more;
		host->pool[host->n_pool++] = copy;
		pthread_mutex_lock(&copy->lock);
	}
	pthread_mutex_unlock(&host->pool_lock);
	return copy;
}

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
	struct cofl_copy *copy = pool_take(m->host);
	struct cofl_ir *ir = cofl_build_gather(m, copy);
	struct cof_version_desc desc = { .size = sizeof(desc) };
	char why[256] = "its body cannot be read";
	int err = -COF_E_INVAL;

	if (ir != NULL) {
		err = cofl_build_plan(ir, COF_PLAN_AVERAGE, &never, &desc, why,
				      sizeof(why));
		if (err != 0)
			log_why(ir, why);
		cofl_build_drop(ir);
	}
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

static void *gather(void *ctx, void *method)
{
	struct cofl_copy *copy = pool_take(ctx);
	struct cofl_ir *ir = cofl_build_gather(method, copy);

	pthread_mutex_unlock(&copy->lock);
	return ir;
}

static void claim(struct cofl_method *m)
{
	pthread_mutex_lock(&m->host->copy->lock);
	atomic_store_explicit(&m->claimed, true, memory_order_relaxed);
	pthread_mutex_unlock(&m->host->copy->lock);
}

static void begin(struct cofl_ir *ir)
{
	claim(ir->method);
	pthread_mutex_lock(&ir->copy->lock);
}

/* Unlock the copy, log a failure, and return err. */
static int end(const struct cofl_ir *ir, int err, const char *why)
{
	pthread_mutex_unlock(&ir->copy->lock);
	if (err != 0)
		log_why(ir, why);
	return err;
}

static int build(void *ctx, void *handle, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	struct cofl_ir *ir = handle;
	char why[256] = "";
	int err;

	(void)ctx;
	begin(ir);
	if (plan == COF_PLAN_PROFILE)
		err = cofl_unit_compile_build(&ir, 1, stop, out, why,
					      sizeof(why));
	else
		err = cofl_build_plan(ir, plan, stop, out, why, sizeof(why));
	return end(ir, err, why);
}

/* -- Profiles -------------------------------------------------------------- */

static int instrument(void *ctx, void *handle, const int *stop,
		      struct cof_version_desc *out)
{
	struct cofl_ir *ir = handle;
	char why[256] = "";
	int err;

	(void)ctx;
	begin(ir);
	err = cofl_count_build(ir, stop, out, why, sizeof(why));
	return end(ir, err, why);
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
	struct cofl_copy *copy = pool_take(ctx);
	int err = cofl_profile_restore_load(method, copy, buf, bytes);

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
	int err;

	(void)ctx;
	if (plan != COF_PLAN_PROFILE)
		return -COF_E_INVAL;
	ir = cofl_xcalloc(n, sizeof(*ir));
	for (size_t i = 0; i < n; i++) {
		ir[i] = handles[i];
		claim(ir[i]->method);
	}
	pthread_mutex_lock(&first->copy->lock);
	err = cofl_unit_compile_build(ir, n, stop, out, why, sizeof(why));
	pthread_mutex_unlock(&first->copy->lock);
	if (*why != '\0')
		log_why(first, why);
	free(ir);
	return err;
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
