/*
 * main.c - a .NET program on Mono, with continuous optimization
 *
 *	cof-mono [--cof...] [--mono=OPTION...] PROGRAM [ARG...]
 *
 * `runtime` becomes this program when it is to run a .NET one. mono_main() does
 * all that is not libcof's, as the command `mono` does: options of
 * MONO_ENV_OPTIONS, configuration, exit status.
 */
#include <stdio.h>
#include <stdlib.h>

#include <mono/jit/jit.h>
#include <mono/metadata/assembly.h>
#include <mono/metadata/mono-debug.h>

#include "compile/callbacks.h"
#include "compile/check.h"
#include "compile/lines.h"
#include "compile/unload.h"
#include "vm/shutdown.h"
#include "vm/host.h"
#include "method/identity.h"
#include "vm/attach.h"
#include "vm/internals.h"
#include "method/locate.h"
#include "method/method.h"
#include "vm/jit_record.h"
#include "exe/settings.h"
#include "vm/threads.h"
#include "vm/tuning.h"
#include "vm/stop_world.h"

static struct cofm host;
static enum cofm_frames frames;

/* Say in one line why the program runs without optimization. */
static void run_without(const char *why)
{
	fprintf(stderr, "runtime: %s; running without optimization\n", why);
}

/* A debugger sets breakpoints in the code it knows, and it looks for locals
 * where that code has them. */
static bool is_debugged(void)
{
	const char *options = mini_get_debug_options();

	return *(const int *)(const void *)(options + COFM_DEBUG_DEBUGGED) != 0;
}

/* Mono calls this when the first domain exists and no managed code has run
 * yet. */
static void initialized(MonoProfiler *ctx)
{
	struct cofm *h = (struct cofm *)ctx;
	char why[COF_WHY_BYTES];

	h->domain = mono_get_root_domain();
	if (mono_runtime_get_no_exec())	/* --aot: no program runs */
		return;
	if (!cofm_check_running(h->domain, why, sizeof(why))) {
		run_without(why);
		return;
	}
	if (is_debugged()) {
		cof_log_line(h->cof,
			     "mono: under the debugger nothing is recompiled");
		return;
	}
	/* What is inlined would not be in the trace. */
	if (mono_jit_trace_calls) {
		cof_log_line(h->cof,
			     "mono: under --trace nothing is recompiled");
		return;
	}
	h->keeps_frames = frames == COFM_FRAMES_KEEP ||
		(frames == COFM_FRAMES_BY_DEBUG && mono_debug_enabled());
	atomic_store_explicit(&h->running, true, memory_order_release);
}

static void report(struct cofm *h)
{
	struct cofm_stop_world_stats w;
	char line[160];

	cofm_stop_world_stats(&w);
	snprintf(line, sizeof(line), "mono: world stopped %llu times, "
		 "%.3f ms median, %.3f ms p99, %.3f ms at most",
		 (unsigned long long)w.stops, (double)w.p50_ns / 1e6,
		 (double)w.p99_ns / 1e6, (double)w.max_ns / 1e6);
	cof_log_line(h->cof, line);
	cofm_method_report_declined(h);
	snprintf(line, sizeof(line),
		 "mono: %llu records of freed code kept for stack traces",
		 (unsigned long long)cofm_jit_record_kept());
	cof_log_line(h->cof, line);
}

static void watch(struct cofm *h)
{
	h->profiler = mono_profiler_create((MonoProfiler *)h);
	mono_profiler_set_runtime_initialized_callback(h->profiler,
						       initialized);
	cofm_shutdown_follow(h, report);
	cofm_domains_follow(h);
	cofm_unload_follow(h);
	cofm_lines_begin(h);
	cofm_locate_all(h);
	cofm_threads_follow(h);
}

static void start(struct cofm *h, const struct cofm_settings *s)
{
	struct cof_host callbacks;
	char why[COF_WHY_BYTES];
	int err;

	if (!cofm_check(why, sizeof(why))) {
		run_without(why);
		return;
	}
	pthread_mutex_init(&h->compiling, NULL);
	h->opt = mono_parse_default_optimizations(s->optimizations);
	frames = s->frames;
	cofm_identity(h, s->program);
	callbacks = cofm_callbacks(h);
	err = cof_start(&callbacks, s->options, why, &h->cof);
	if (err == -COF_E_INVAL) {
		fprintf(stderr, "runtime: %s: %s\n", s->program, why);
		exit(2);
	}
	if (err != 0) {		/* the kernel refuses what the loop needs */
		run_without(why);
		return;
	}
	cof_program(h->cof, s->program);
	cof_thread_attach(h->cof, NULL, NULL);
	watch(h);
}

int main(int argc, char **argv)
{
	struct cofm_settings s;
	char why[COF_WHY_BYTES];

	if (cofm_tuning_begin(why, sizeof(why)) != 0) {
		fprintf(stderr, "runtime: %s\n", why);
		return 2;
	}
	if (!cofm_settings_read(&s, argc, argv))
		return 2;
	start(&host, &s);
	mono_set_dirs("/usr/lib", "/etc");
	return mono_main(s.argc, s.argv);
}
