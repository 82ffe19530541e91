/*
 * module.c - load libcof-llvm.so, and forward libcof's callbacks to it
 *
 * Orderings, by letter: a release store of host->module (A) after all that
 * open() made; an acquire load (B) where it is used.
 */
#include "program/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "link/loader.h"
#include "link/osr_points.h"
#include "profile/collect.h"
#include "profile/counting.h"
#include "program/bitcode_copy.h"
#include "program/estimate.h"
#include "program/fork_hooks.h"
#include "support/memory_reserve.h"
#include "support/recover.h"
#include "support/tuning.h"
#include "version_cache/cached_profile.h"
#include "version_cache/counting_cache.h"
#include "version_cache/version_cache_host.h"

#define NAME "libcof-llvm.so"

/* It lies beside the library that has this. */
static void find_path(char path[PATH_MAX])
{
	Dl_info info;
	char *slash;

	snprintf(path, PATH_MAX, "%s", PKGLIBDIR "/" NAME);
	if (dladdr((const void *)(uintptr_t)find_path, &info) == 0 ||
	    strlen(info.dli_fname) + sizeof(NAME) > PATH_MAX)
		return;
	slash = strrchr(info.dli_fname, '/');
	if (slash != NULL)
		snprintf(path, PATH_MAX, "%.*s%s",
			 (int)(slash + 1 - info.dli_fname), info.dli_fname,
			 NAME);
}

const struct cofl_module *cofl_module_load(char *why, size_t why_bytes)
{
	const struct cofl_module *module = NULL;
	char path[PATH_MAX];
	void *handle;

	/* Is it linked in, as in programs of tests/? */
	module = dlsym(RTLD_DEFAULT, "cofl_module_llvm");
	if (module != NULL)
		return module;
	find_path(path);
	/* Local: the program must not find the symbols of LLVM and its
	 * libraries. Lazy: it needs few of LLVM's hundred thousand names. */
	handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (handle != NULL)
		module = dlsym(handle, "cofl_module_llvm");
	if (module == NULL)
		snprintf(why, why_bytes, "%s", dlerror());
	return module;
}

static const struct cofl_module *loaded(struct cofl *host)
{
	return atomic_load_explicit(&host->module,
				    memory_order_acquire);	/* B */
}

struct loading {
	const struct cofl_module *module;
	char                     *why;
	size_t                    why_bytes;
};

static void load_job(void *arg)
{
	struct loading *l = arg;

	l->module = cofl_module_load(l->why, l->why_bytes);
}

/* Under the module's lock. */
static bool open_inside(struct cofl *host, char *why, size_t why_bytes)
{
	struct loading l = { NULL, why, why_bytes };
	const struct cofl_module *module;

	cof_call_with_private_files(host->cof, load_job, &l);
	module = l.module;
	if (module == NULL || !cofl_bitcode_copy(host, why, why_bytes) ||
	    !module->open(host, why, why_bytes))
		return false;
	module->callbacks(host, &host->callbacks);
	atomic_store_explicit(&host->module, module,
			      memory_order_release);	/* A */
	return true;
}

struct opening {
	struct cofl *host;
	char        *why;
	size_t       why_bytes;
	bool         opened;
};

static void open_job(void *arg)
{
	struct opening *o = arg;

	o->opened = open_inside(o->host, o->why, o->why_bytes);
}

static bool open_module(struct cofl *host, char *why, size_t why_bytes)
{
	struct opening o = { host, why, why_bytes, false };

	if (!cofl_memory_reserve_has_room(COFL_TUNE(compiler_mb))) {
		snprintf(why, why_bytes, "less than %d MB of memory are left "
			 "for the compiler", (int)COFL_TUNE(compiler_mb));
		return false;
	}
	/* What LLVM had opened so far is lost if memory is refused. */
	return cofl_recover(open_job, &o, why, why_bytes) && o.opened;
}

const struct cofl_module *cofl_module(struct cofl *host)
{
	const struct cofl_module *module = loaded(host);
	char why[256] = "", line[300];
	bool failed = false;

	if (module != NULL)
		return module;
	pthread_mutex_lock(&host->module_lock);
	module = loaded(host);
	if (module == NULL && !host->module_failed) {
		failed = !open_module(host, why, sizeof(why));
		host->module_failed = failed;
		module = loaded(host);
	}
	pthread_mutex_unlock(&host->module_lock);
	if (failed) {
		snprintf(line, sizeof(line), "nothing can be built: %s", why);
		cof_log_line(host->cof, line);
	}
	return module;
}

/* -- Forwarding ------------------------------------------------------------ */

/* The module's callback, or NULL; loads the module. */
#define CALLBACK(ctx, name) \
	(cofl_module(ctx) != NULL ? \
		 ((struct cofl *)(ctx))->callbacks.name : NULL)

/* The module's callback; NULL also if the module is not loaded. */
#define CALLBACK_NOW(ctx, name) \
	(loaded(ctx) != NULL ? ((struct cofl *)(ctx))->callbacks.name : NULL)

/* A callback that calls the module's, or, if there is none, returns `none`. */
#define FORWARD(result, none, callback, name, params, ...)		\
	static result name params					\
	{								\
		result (*f) params = callback(ctx, name);		\
									\
		return f != NULL ? f(ctx, __VA_ARGS__) : (none);	\
	}

FORWARD(void *, NULL, CALLBACK, gather, (void *ctx, void *method), method)
FORWARD(int, 1, CALLBACK, build,
	(void *ctx, void *ir, enum cof_plan plan, const int *stop,
	 struct cof_version_desc *out), ir, plan, stop, out)
FORWARD(int, 1, CALLBACK, build_unit,
	(void *ctx, void *const *ir, size_t n, enum cof_plan plan,
	 const int *stop, struct cof_version_desc *out), ir, n, plan, stop, out)
FORWARD(int, 1, CALLBACK, instrument,
	(void *ctx, void *ir, const int *stop, struct cof_version_desc *out),
	ir, stop, out)
FORWARD(int, 1, CALLBACK, collect, (void *ctx, void *ir), ir)
FORWARD(int, 1, CALLBACK, profile_load,
	(void *ctx, void *method, const void *buf, size_t bytes),
	method, buf, bytes)

/* libcof asks for every hot method, built or not: not a reason to load the
 * module. */
FORWARD(uint64_t, 0, CALLBACK_NOW, shape, (void *ctx, void *method), method)

static void drop(void *ctx, void *ir)
{
	void (*f)(void *, void *) = CALLBACK_NOW(ctx, drop);

	if (f != NULL)
		f(ctx, ir);
}

/* It may have been cached, and then the module is perhaps not loaded. */
static void discard(void *ctx, void *version)
{
	cofl_counting_end(version);
	cofl_loader_unload(ctx, version);
}

static uint64_t counted(void *ctx, void *method)
{
	(void)ctx;
	return cofl_collect_counted(method);
}

static void log_line(void *ctx, const char *line)
{
	struct cofl *host = ctx;

	if (host->log != NULL)
		host->log(line);
}

typedef int osr_fn(void *ctx, void *ir, void *version, enum cof_plan plan,
		   const int *stop, struct cof_version_desc *out);

static bool has_points(const struct cofl_version *v)
{
	return v != NULL && v->points != NULL;
}

/* Frames may be in cached continuations while the module is not loaded. */
static int osr(void *ctx, void *ir, void *version, enum cof_plan plan,
	       const int *stop, struct cof_version_desc *out)
{
	const struct cofl_version *v = version;
	osr_fn *f;

	if (!has_points(v))
		return -COF_E_INVAL;
	if (out == NULL) {
		cofl_osr_points_disarm(v->points);
		return 0;
	}
	f = CALLBACK(ctx, osr);
	return f != NULL ? f(ctx, ir, version, plan, stop, out) : 1;
}

static int osr_try(void *ctx, void *ir, void *version, enum cof_plan plan,
		   const int *stop, struct cof_version_desc *out)
{
	osr_fn *f = has_points(version) ? CALLBACK(ctx, osr_try) : NULL;

	return f != NULL ? f(ctx, ir, version, plan, stop, out) : 1;
}

static int osr_lead(void *ctx, void *from, void *to)
{
	const struct cofl_version *a = from, *b = to;

	(void)ctx;
	if (!has_points(a) || (b != NULL && b->continuations == NULL))
		return 1;
	if (b != NULL)
		cofl_osr_points_lead(a->points, b->continuations);
	else
		cofl_osr_points_disarm(a->points);
	return 0;
}

static uint64_t osr_turns(void *ctx, void *version)
{
	const struct cofl_version *v = version;

	(void)ctx;
	return has_points(v) ? cofl_osr_points_turns(v->points) : 0;
}

static size_t profile_save(void *ctx, void *method, void *buf, size_t bytes)
{
	size_t (*f)(void *, void *, void *, size_t) =
		CALLBACK_NOW(ctx, profile_save);
	size_t n = cofl_cached_profile_save(method, buf, bytes);

	if (n != 0)
		return n;
	return f != NULL ? f(ctx, method, buf, bytes) :
			   cofl_collect_save(method, buf, bytes);
}

/* If the module is not loaded, LLVM has no memory to release. */
static void release_idle(void *ctx)
{
	void (*f)(void *) = CALLBACK_NOW(ctx, release_idle);

	cofl_version_cache_host_idle_release(ctx);
	if (f != NULL)
		f(ctx);
}

void cofl_module_forward(struct cofl *host, struct cof_host *out)
{
	*out = (struct cof_host){
		.size = sizeof(*out), .name = "llvm", .ctx = host,
		.estimate = cofl_estimate,
		.gather = gather, .build = build, .drop = drop,
		.discard = discard, .log = log_line,
		.instrument = instrument, .counted = counted,
		.collect = collect, .build_unit = build_unit, .osr = osr,
		.osr_try = osr_try, .osr_lead = osr_lead,
		.osr_turns = osr_turns,
		.shape = shape, .profile_save = profile_save,
		.profile_load = profile_load, .release_idle = release_idle,
		.cached_version = cofl_version_cache_host_take,
		.cached_continuations = cofl_version_cache_host_continuations,
		.cached_counting = cofl_counting_cache_take,
		.first_build_ns = COFL_TUNE(plan_first_ms) * COF_MS_NS,
		.trial_result = cofl_version_cache_host_trial_result,
		.trial_progress = cofl_version_cache_host_trial_progress,
		.fork_shares_code = 1,
		.child_begins = cofl_fork_hooks_child_begins,
	};
	if (loaded(host) == NULL)
		return;
	/* The host lacks what the module lacks. */
#define KEEP(name) (out->name = host->callbacks.name ? out->name : NULL)
	KEEP(instrument), KEEP(counted), KEEP(collect), KEEP(build_unit);
	KEEP(osr), KEEP(osr_try), KEEP(shape), KEEP(profile_save);
	KEEP(profile_load);
#undef KEEP
}
