/*
 * program.c - open a program, with its image if there is one, and run it
 */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynlib/dynamic.h"
#include "dynlib/exported_names.h"
#include "dynlib/symbol_overrides.h"
#include "image/image_cache.h"
#include "image/image_launch.h"
#include "image/image_load.h"
#include "link/tls.h"
#include "program/bitcode_check.h"
#include "program/bitcode_file.h"
#include "program/fork_hooks.h"
#include "program/host.h"
#include "program/module.h"
#include "support/fatal.h"
#include "support/startup.h"
#include "support/xcalloc.h"
#include "version_cache/version_cache_host.h"

static struct cofl *fail(struct cofl *host)
{
	if (host->cof != NULL) {
		cofl_thread_leave(host);
		cof_stop(host->cof);
	}
	return NULL;
}

/* Guarded, since LLVM reads unchecked bytes. */
static bool open_module(struct cofl *host, char *why)
{
	bool opened;

	cofl_fatal_guard_begin("damaged bitcode");
	opened = cofl_module_open(host, why, COFL_WHY_BYTES);
	cofl_fatal_guard_end();
	return opened;
}

/* Enter the names, place the data. */
static bool link_program(struct cofl *host, const struct cofl_image *image,
			 char *why)
{
	bool linked;

	cofl_startup_part(COFL_STARTUP_NAMES);
	if (image->bytes != NULL)
		return cofl_image_load(host, image, why, COFL_WHY_BYTES);
	cofl_fatal_guard_begin("damaged bitcode");
	linked = cofl_module(host)->link(host, why, COFL_WHY_BYTES);
	cofl_fatal_guard_end();
	return linked;
}

struct binding {
	struct cofl                *host;
	const struct cofl_settings *settings;
	const struct cofl_image    *image;
	const struct cofl_dynamic  *dynamic;	/* NULL: bitcode alone, which
						 * exports all names */
	char                       *why;
	bool                        bound;
};

static bool is_exported(const struct cofl_dynamic *dynamic, const char *name)
{
	if (dynamic == NULL)
		return true;
	for (size_t i = 0; i < dynamic->n_exported; i++)
		if (strcmp(dynamic->exported[i].name, name) == 0)
			return true;
	return false;
}

static uintptr_t find_own(void *ctx, const char *name)
{
	const struct binding *b = ctx;
	const struct cofl_symbol *s = cofl_symbols_get(&b->host->symbols, name);

	return s->method != NULL && is_exported(b->dynamic, name) ? s->address :
								    0;
}

/* Called when the libraries are open and none of their constructors has run. */
static void bind_program(void *arg)
{
	struct binding *b = arg;

	cofl_startup_part(COFL_STARTUP_NAMES);
	if (b->image->bytes != NULL) {
		b->bound = cofl_image_bind(b->host, b->image, b->why,
					   COFL_WHY_BYTES);
	} else {
		cofl_fatal_guard_begin("damaged bitcode");
		b->bound = cofl_module(b->host)->bind(b->host, b->why,
						      COFL_WHY_BYTES);
		cofl_fatal_guard_end();
	}
	if (b->bound && b->settings->bound != NULL)
		b->settings->bound(b->host, find_own, b);
	cofl_startup_part(COFL_STARTUP_LIBRARIES);
}

static bool open_libraries(struct cofl *host,
			   const struct cofl_settings *settings,
			   const struct cofl_bitcode_file *file,
			   const struct cofl_image *image, char *why)
{
	struct cofl_dynamic dynamic;
	struct binding binding = {
		.host = host, .settings = settings, .image = image, .why = why,
		.dynamic = file->is_elf ? &dynamic : NULL,
	};
	bool opened;

	cofl_startup_part(COFL_STARTUP_LIBRARIES);
	cofl_dynamic_read(&dynamic, file);
	opened = cofl_exported_names_open(host, &dynamic, bind_program,
					  &binding, why, COFL_WHY_BYTES);
	cofl_dynamic_free(&dynamic);
	return opened && binding.bound;
}

static struct cofl *new_host(const struct cofl_bitcode_file *file,
			     const struct cofl_settings *settings)
{
	struct cofl *host = cofl_xcalloc(1, sizeof(*host));

	host->log = settings->log;
	host->path = settings->path;
	host->bytes = file->bitcode;
	host->bytes_are_copied = file->joined != NULL;
	host->n_bytes = file->n_bitcode;
	pthread_mutex_init(&host->loader_lock, NULL);
	pthread_mutex_init(&host->profile_lock, NULL);
	pthread_mutex_init(&host->pool_lock, NULL);
	pthread_mutex_init(&host->module_lock, NULL);
	return host;
}

/*
 * Start libcof. Where the kernel refuses what the loop needs, or has no more of
 * it, the program runs as in mode off, after one line with the reason.
 */
static int start_core(struct cofl *host, const struct cof_host *callbacks,
		      const char *options, char *why)
{
	int err = cof_start(callbacks, options, why, &host->cof);
	char off[4200], why_not[COFL_WHY_BYTES];

	if (err == 0 || err == -COF_E_INVAL)
		return err;
	snprintf(off, sizeof(off), "%s%smode=off", options,
		 *options != '\0' ? "," : "");
	if (cof_start(callbacks, off, why_not, &host->cof) != 0)
		return err;
	cofl_fatal_say(why, "; running without optimization");
	return 0;
}

/* The first run of a program leaves a note of itself. */
static void launch_image(struct cofl *host,
			 const struct cofl_settings *settings,
			 const uint8_t key[COFL_HASH_BYTES], bool has_run)
{
	if (!has_run)
		cofl_image_cache_note_run(key);
	cofl_image_launch(host, key, settings->image_mb, has_run);
}

/* What is refused after this is not because of the options. */
static struct cofl *open_file(const struct cofl_settings *settings,
			      const struct cofl_bitcode_file *file,
			      bool *options_failed, char why[COFL_WHY_BYTES])
{
	struct cofl_image image = { 0 };
	uint8_t key[COFL_HASH_BYTES];
	struct cof_host callbacks;
	struct cofl *host;
	bool has_run;

	host = new_host(file, settings);
	memcpy(host->hash, file->hash, sizeof(host->hash));
	cofl_code_key(host->hash, key);
	cofl_startup_part(COFL_STARTUP_IMAGE);
	if (settings->image != COFL_IMAGE_NO)
		cofl_image_cache_find(key, &image);
	has_run = image.bytes != NULL || cofl_image_cache_has_run(key);
	if (image.bytes == NULL &&
	    ((!file->has_checksum &&
	      !cofl_bitcode_check(settings->path, key, why, COFL_WHY_BYTES)) ||
	     !open_module(host, why)))
		return NULL;
	cofl_module_forward(host, &callbacks);
	/* Such a program may keep addresses in 32 bits. */
	callbacks.near = (const void *)file->fixed;
	callbacks.left_alone = settings->left_alone;
	callbacks.identity = host->hash;
	callbacks.identity_bytes = sizeof(host->hash);
	if (settings->image != COFL_IMAGE_NO)
		cofl_version_cache_host_init(host, key,
					     settings->image_mb << 20);
	/* A program without an image is sampled from the beginning. */
	callbacks.no_cached_versions = image.bytes != NULL &&
				       cofl_version_cache_host_none(host);
	cofl_startup_part(COFL_STARTUP_CORE);
	*options_failed = start_core(host, &callbacks, settings->options,
				     why) == -COF_E_INVAL;
	if (host->cof == NULL)
		return NULL;
	cof_program(host->cof, settings->path);
	if (image.bytes != NULL)
		cof_log_line(host->cof, "the program starts from its image");
	cofl_symbol_overrides_init(host, cofl_module_first_calls);
	if (cofl_fork_hooks_init(host) != 0)
		cofl_fatal("out of memory");
	cofl_thread_enter(host);
	cofl_startup_part(COFL_STARTUP_NAMES);
	cofl_startup_move(COFL_STARTUP_CORE, COFL_STARTUP_HISTORY,
			  cof_history_waited_ns(host->cof));
	if (!link_program(host, &image, why) ||
	    !open_libraries(host, settings, file, &image, why))
		return fail(host);
	cofl_startup_part(COFL_STARTUP_LAUNCH);
	if (image.bytes == NULL && settings->image != COFL_IMAGE_NO)
		launch_image(host, settings, key, has_run);
	cofl_startup_part(COFL_STARTUP_IMAGE);
	cofl_image_cache_close(&image);
	cofl_startup_part(COFL_STARTUP_KEPT);
	cof_ready(host->cof);
	cofl_startup_part(COFL_STARTUP_REST);
	return host;
}

struct cofl *cofl_program_open(const struct cofl_settings *settings,
			       char why[COFL_WHY_BYTES])
{
	struct cofl_bitcode_file file;
	struct cofl *host = NULL;
	bool options_failed = false;

	*why = '\0';
	cofl_fatal_init(settings->path);
	cofl_startup_part(COFL_STARTUP_FILE);
	if (cofl_bitcode_file_open(&file, settings->path, why, COFL_WHY_BYTES))
		host = open_file(settings, &file, &options_failed, why);
	if (host == NULL && settings->runs_natively != NULL)
		*settings->runs_natively = file.is_executable &&
					   !options_failed;
	return host;
}

struct cof *cofl_program_cof(struct cofl *host)
{
	return host->cof;
}

/* -- Running --------------------------------------------------------------- */

static struct cofl *running;	/* for run_ends(), which has no argument */

static uintptr_t address_of(struct cofl *host, const char *name)
{
	return cofl_symbols_get(&host->symbols, name)->address;
}

/* Destructor functions run after all of atexit(3)'s functions, from the end of
 * the list. */
static void run_ends(void)
{
	char **name = running->end_list;
	size_t n = 0;

	while (name[n] != NULL)
		n++;
	while (n-- > 0)
		((void (*)(void))address_of(running, name[n]))();
}

int cofl_program_main(struct cofl *host, int argc, char **argv, char **envp)
{
	int (*entry)(int, char **, char **);

	running = host;
	cofl_tls_thread_begin();
	if (host->end_list[0] != NULL)
		atexit(run_ends);
	for (char **name = host->start_list; *name != NULL; name++)
		((void (*)(int, char **, char **))address_of(host, *name))(
			argc, argv, envp);
	entry = (int (*)(int, char **, char **))address_of(host, "main");
	return entry(argc, argv, envp);
}
