/*
 * module.c - libcof for the stock `mono`, to observe a program
 *
 *	mono --profile=cof[:OPTION,...] PROGRAM.exe [ARG...]
 *
 * Sampler, predictor and stats are as in cof-mono. Nothing is compiled or
 * patched, since the stock binary hides what that would need. The module uses
 * only what Mono's installed headers declare, and a few functions that Mono
 * exports without declaring them (../vm/shutdown.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mono/jit/jit.h>
#include <mono/metadata/assembly.h>

#include "vm/shutdown.h"
#include "vm/host.h"
#include "module/locate.h"
#include "vm/threads.h"

/* The options before the user's. Programs cannot name the signal
 * (base/libc_signal.h). */
#define DEFAULTS "mode=co,signal=32"

/* Mono finds this function by the module's name. */
__attribute__((visibility("default")))
void mono_profiler_init_cof(const char *desc);

static struct cofm host;

static void log_line(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

/* The first image with an entry point is the program. Mono loads it before any
 * managed thread exists. */
static void image_loaded(MonoProfiler *ctx, MonoImage *image)
{
	struct cofm *h = (struct cofm *)ctx;

	if (mono_image_get_entry_point(image) == 0)
		return;
	cof_program(h->cof, mono_image_get_filename(image));
	mono_profiler_set_image_loaded_callback(h->profiler, NULL);
}

static void initialized(MonoProfiler *ctx)
{
	struct cofm *h = (struct cofm *)ctx;

	h->domain = mono_get_root_domain();
	atomic_store_explicit(&h->running, true, memory_order_release);
}

static void watch(struct cofm *h)
{
	h->profiler = mono_profiler_create((MonoProfiler *)h);
	mono_profiler_set_runtime_initialized_callback(h->profiler,
						       initialized);
	cofm_shutdown_follow(h, NULL);
	mono_profiler_set_image_loaded_callback(h->profiler, image_loaded);
	cofm_threads_follow(h);
}

/* `desc` is "cof" or "cof:LIST". False: the list is too long. */
static bool read_options(const char *desc, char *to, size_t bytes)
{
	const char *list = strchr(desc, ':');
	int n = snprintf(to, bytes, DEFAULTS "%s%s", list && list[1] ? "," : "",
			 list ? list + 1 : "");

	return n > 0 && (size_t)n < bytes;
}

/*
 * A wrong option ends the program before it starts: a user who wants to measure
 * something has no use for a run without it. If the kernel refuses something,
 * the program runs unobserved.
 */
void mono_profiler_init_cof(const char *desc)
{
	struct cof_host callbacks = {
		.size = sizeof(callbacks), .name = "monoprof",
		.ctx = &host, .log = log_line, .locate = cofm_module_locate,
	};
	char options[4096], why[COF_WHY_BYTES] = "options: too long";
	int err = -COF_E_INVAL;

	if (host.cof)
		return;
	if (read_options(desc, options, sizeof(options)))
		err = cof_start(&callbacks, options, why, &host.cof);
	if (err != 0) {
		fprintf(stderr, "mono: --profile=cof: %s%s\n", why,
			err == -COF_E_INVAL ? "" : "; running unobserved");
		if (err == -COF_E_INVAL)
			exit(2);
		return;
	}
	cof_thread_attach(host.cof, NULL, NULL);
	watch(&host);
}
