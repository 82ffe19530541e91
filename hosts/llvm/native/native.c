/*
 * native.c - open the host, and hand events on; see native.h
 */
#include "native/native.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/libc_signal.h"
#include "cof.h"
#include "cofl.h"
#include "link/loader.h"
#include "link/unwind_tables.h"
#include "native/executable.h"
#include "native/libc.h"
#include "native/methods.h"
#include "native/names.h"
#include "native/namespace_malloc.h"
#include "native/text_page.h"
#include "native/vtables.h"
#include "preload/services.h"
#include "profile/counting.h"
#include "program/fork_hooks.h"
#include "program/module.h"
#include "program/thread.h"
#include "support/cache_dir.h"
#include "support/fatal.h"
#include "support/memory_reserve.h"
#include "support/recover.h"
#include "support/tuning.h"
#include "support/xcalloc.h"
#include "version_cache/code_key.h"
#include "version_cache/counting_cache.h"
#include "version_cache/finish_mark.h"
#include "version_cache/version_cache_host.h"

static const struct cofl_services *services;
static struct cofl_executable executable;
static struct cofl_names names;
static struct cofl *host;

/* -- Events ---------------------------------------------------------------- */

static void thread_begins(void)
{
	services->enter();
	cofl_libc_thread_begins();
	cofl_thread_enter(host);
	services->leave();
}

static void thread_ends(void)
{
	services->enter();
	cofl_thread_leave(host);
	services->leave();
}

static int set_action(int sig, const struct sigaction *act,
		      struct sigaction *old)
{
	return cof_sigaction(sig, act, old);
}

static void cancels(void)
{
	cof_sampling_signal_check(host->cof);
}

static void exits(void)
{
	services->enter();
	cof_exit(host->cof);
	services->leave();
}

static void exits_async_safe(void)
{
	cof_exit_async_safe(host->cof);
}

static uint8_t code_key[COF_HASH_BYTES];

/* Another process may be at it. */
static uint64_t finish(void)
{
	uint64_t n = 0;
	int lock;

	services->enter();
	lock = cofl_finish_mark_lock(code_key);
	if (lock >= 0) {
		n = cof_finish(host->cof);
		close(lock);
	}
	services->leave();
	return n;
}

static _Atomic bool is_quiet;

static bool unfinished(bool (*may)(void))
{
	uint64_t n = atomic_load(&is_quiet) ? 0 : cof_unfinished(host->cof);
	bool is;

	services->enter();
	is = n > 0 && may() && cofl_finish_mark_due(code_key, n);
	services->leave();
	return is;
}

static void quiesce(void)
{
	services->enter();
	atomic_store(&is_quiet, true);
	cof_quiesce(host->cof);
	services->leave();
}

/* The change of a page takes system calls. */
static void leave_alone(const void *from, size_t bytes)
{
	size_t n = atomic_load(&is_quiet) ? 0 :
		   cofl_methods_leave_alone(host, from, bytes);
	char line[120];

	if (n == 0)
		return;
	snprintf(line, sizeof(line), "COF: %zu functions are left alone: the "
		 "program may write to them", n);
	cof_log_line(host->cof, line);
}

/* A handler of the program's may come here too. */
static void code_writes(const void *from, size_t bytes)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	services->enter();
	leave_alone(from, bytes);
	services->leave();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void constant_writes(const void *from, size_t bytes)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	services->enter();
	cofl_vtables_leave((uintptr_t)from, (uintptr_t)from + bytes);
	services->leave();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void switches_stacks(const char *why)
{
	services->enter();
	cof_reclaim_disable(host->cof, why);
	services->leave();
}

/* -- libcof's callbacks ---------------------------------------------------- */

/* As the host's of program/module.c, but what is to be built has its entry
 * taken over. */
static void *(*gather_ir)(void *ctx, void *method);
static void (*drop_ir)(void *ctx, void *ir);
static void (*release_llvm)(void *ctx);

static void *gather(void *ctx, void *method)
{
	void *ir = gather_ir(ctx, method);

	if (ir == NULL || cofl_methods_take_over(method))
		return ir;
	drop_ir(ctx, ir);
	return NULL;
}

/* What was loaded is of use only if callers come to it. */
static int take_over(struct cofl *h, void *method,
		     const struct cof_version_desc *loaded)
{
	if (cofl_methods_take_over(method))
		return 0;
	cofl_counting_end(loaded->data);
	cofl_loader_unload(h, loaded->data);
	cof_code_free(h->cof, &loaded->block);
	return 1;
}

static int cached_version(void *ctx, void *method, const void *profile,
			  size_t bytes, struct cof_version_desc *out)
{
	int err = cofl_version_cache_host_take(ctx, method, profile, bytes,
					       out);

	return err != 0 ? err : take_over(ctx, method, out);
}

static int cached_counting(void *ctx, void *method,
			   struct cof_version_desc *out)
{
	int err = cofl_counting_cache_take(ctx, method, out);

	return err != 0 ? err : take_over(ctx, method, out);
}

/* free(3) keeps nearly all that LLVM gives back, and each page of it would cost
 * a fork. */
static void release_idle(void *ctx)
{
	release_llvm(ctx);
	cofl_namespace_malloc_trim();
}

static void left_alone(void *ctx, int status)
{
	(void)ctx;
	services->left_alone(status);
}

static void callbacks(struct cof_host *out)
{
	cofl_module_forward(host, out);
	gather_ir = out->gather;
	drop_ir = out->drop;
	release_llvm = out->release_idle;
	out->gather = gather;
	out->cached_version = cached_version;
	out->cached_counting = cached_counting;
	out->is_finished = services->is_finished;
	out->entry_direct = cofl_methods_direct;
	out->release_idle = release_idle;
	out->adds_uncalled = 1;
	out->is_child = services->is_child;
	out->own_code = (const void *)executable.text;
	out->own_code_bytes = executable.n_text;
	out->left_alone = left_alone;
	out->attaches_all = 1;
	out->locate = cofl_methods_locate;
	out->add_hot = cofl_methods_add_hot;
	out->near = (const void *)executable.image;
	out->near_bytes = executable.n_image;
	out->identity = executable.identity;
	out->identity_bytes = sizeof(executable.identity);
}

/* -- Opening --------------------------------------------------------------- */

static struct cofl *new_host(void)
{
	struct cofl *h = cofl_xcalloc(1, sizeof(*h));

	h->log = services->line;
	h->path = services->path;
	h->bytes = executable.bitcode;
	h->n_bytes = executable.n_bitcode;
	memcpy(h->hash, executable.hash, sizeof(h->hash));
	pthread_mutex_init(&h->loader_lock, NULL);
	pthread_mutex_init(&h->profile_lock, NULL);
	pthread_mutex_init(&h->pool_lock, NULL);
	pthread_mutex_init(&h->module_lock, NULL);
	return h;
}

static int start(char *why)
{
	struct cof_host cof;
	char *options;
	int err;

	host = new_host();
	cofl_names_init(&names, host, &executable);
	host->numbering = &names.numbering;
	host->finishes = services->finishes;
	callbacks(&cof);
	cofl_code_key(host->hash, code_key);
	cofl_version_cache_host_init(host, code_key, COFL_CACHE_DIR_MOST);
	cof.no_cached_versions = cofl_version_cache_host_none(host);
	cofl_methods_init(host, &executable);
	names.slot = cofl_methods_slot;
	/* All that may be refused comes before there is an instance. */
	cofl_symbols_init(&host->symbols, NULL, names.executable->head->n,
			  cofl_names_define, &names);
	/* Of the locks that a fork waits for, it is the innermost. */
	cofl_vtables_init(&executable);
	err = cofl_text_page_init(&executable) ? cofl_text_page_fork_hooks() :
						 -COF_E_NOMEM;
	if (err == 0)
		err = cofl_vtables_fork_hooks();
	if (err != 0) {
		snprintf(why, COF_WHY_BYTES, "no memory for code pages");
		return err;
	}
	/* The last value of an option counts. */
	if (asprintf(&options, "signal=%d,%s", COF_LIBC_SIGNAL_CANCEL,
		     services->options) < 0)
		return -COF_E_NOMEM;
	err = cof_start(&cof, options, why, &host->cof);
	free(options);
	if (err != 0)
		return err;
	/* Its own code may lead to new code before a signal finds it where it
	 * can attach (process/start.h). */
	cof_thread_expect(host->cof, getpid());
	cof_program(host->cof, services->path);
	host->image_is_far = !cof_is_near(host->cof);
	host->symbols.cof = host->cof;
	host->tls_distance = executable.tls;
	err = cofl_methods_begin();
	if (err == 0)
		err = cofl_fork_hooks_init(host);
	if (err != 0) {
		snprintf(why, COF_WHY_BYTES, "no memory for fork handlers");
		cof_stop(host->cof);
	}
	return err;
}

struct starting {
	char reason[COF_WHY_BYTES];
	int  err;
};

static void start_job(void *arg)
{
	struct starting *s = arg;

	s->err = start(s->reason);
}

__attribute__((visibility("default")))
int cofl_native_open(const struct cofl_services *given,
		     struct cofl_events *events, char *why, size_t why_bytes)
{
	struct starting s = { .reason = "" };

	services = given;
	cofl_libc_thread_begins();
	cofl_fatal_init(services->path);
	cofl_fatal_beside_program();
	cofl_cache_dir_begin();
	if (cofl_tuning_begin(why, why_bytes) != 0 ||
	    !cofl_executable_open(&executable, why, why_bytes))
		return -COF_E_INVAL;
	cofl_memory_reserve_begin();
	if (!cofl_recover(start_job, &s, s.reason, sizeof(s.reason)))
		s.err = -COF_E_NOMEM;
	if (s.err != 0) {
		snprintf(why, why_bytes, "%s", s.reason);
		return s.err;
	}
	*events = (struct cofl_events){
		.size = sizeof(*events),
		.signal = cof_sampling_signal(host->cof),
		.thread_begins = thread_begins, .thread_ends = thread_ends,
		.cancels = cancels, .sigaction = set_action, .exits = exits,
		.exits_async_safe = exits_async_safe, .finish = finish,
		.unfinished = unfinished, .quiesce = quiesce,
		.code_writes = code_writes, .constant_writes = constant_writes,
		.switches_stacks = switches_stacks,
		.find_object = cofl_unwind_tables_find,
		.next_object = cofl_unwind_tables_next,
	};
	cofl_libc_touch_tls();
	cof_ready(host->cof);
	return 0;
}
