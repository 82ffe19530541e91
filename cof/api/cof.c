/*
 * cof.c - the life of an instance: start, stop, free
 *
 *	start   options, stats file, code memory, index, threads, reclaim, fork
 *	        hooks; history, which may turn mode auto off; then the stages:
 *	        P/O, PRE, SAM
 *	stop    SAM, PRE, P/O and its workers, history
 *	quiesce stop, and hooks that would make system calls
 *	free    all the rest, in reverse; nothing, if a signal handler is under
 *	        way that does not end (threads/threads.h)
 *
 *	mode off               no stage
 *	mode pgo               no PRE, and SAM without its thread
 *	while history waits    no thread but SAM's
 *
 * A stage starts before the one that feeds it, so no stage wakes one that is
 * not there yet. It stops after that one, so what is still on its way is
 * counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/child_loop.h"
#include "api/fork_hooks.h"
#include "api/method.h"
#include "api/stages.h"
#include "api/stepped.h"
#include "base/clock.h"
#include "base/log.h"
#include "code/improved.h"
#include "code/jitinfo.h"
#include "codemem/codemem.h"
#include "history/history.h"
#include "instance.h"
#include "memory/mem.h"
#include "memory/rlimits.h"
#include "optimizer/optimizer.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/trial/audit.h"
#include "options/tuning.h"
#include "predictor/predictor.h"
#include "process/barrier.h"
#include "process/forked.h"
#include "reclaim/reclaim.h"
#include "sampler/child_start.h"
#include "sampler/sampler.h"
#include "stats/stats_file.h"
#include "threads/threads.h"

#define TOUCHED_WORDS   8192u	/* 4096 versions first seen in a generation */
#define FORECAST_WORDS  1024u	/* 256 forecasts; PRE makes 20 a turn at most */
#define CODE_PART       16u	/* of RLIMIT_AS; code is mapped twice */
#define DATA_PART       8u	/* of RLIMIT_DATA */
#define LEAST_CODE      ((uint64_t)16 << 20)
#define LEAST_DATA      ((uint64_t)1 << 20)
#define REACH_MB        2000u	/* less than a rel32 reaches */

const char *cof_version(void)
{
	return COF_VERSION_STRING;
}

int cof_api_version(void)
{
	return COF_API_VERSION;
}

/* Tell the host what is wrong; returns err. */
static int fail(char *why, int err, const char *text)
{
	if (why)
		snprintf(why, COF_WHY_BYTES, "%s", text);
	return err;
}

/*
 * The host may be compiled against another cof.h. Fields that the host does not
 * know read as zero; fields that libcof does not know are left out.
 */
static int copy_host(struct cof_host *to, const struct cof_host *from,
		     char *why)
{
	size_t bytes;

	if (!from || from->size < offsetof(struct cof_host, name) +
				  sizeof(from->name))
		return fail(why, -COF_E_INVAL,
			    "host: no struct, or its .size is not set");
	bytes = from->size < sizeof(*to) ? from->size : sizeof(*to);
	memset(to, 0, sizeof(*to));
	memcpy(to, from, bytes);
	to->size = sizeof(*to);
	if (!to->name || !to->name[0])
		return fail(why, -COF_E_INVAL, "host: .name is not set");
	if (to->n_reasons > COF_IMPROVED_HOST_REASONS ||
	    (to->n_reasons > 0 && !to->reasons))
		return fail(why, -COF_E_INVAL, "host: .n_reasons is wrong");
	return 0;
}

static int read_options(struct cof_opts *opts, const char *options, char *why)
{
	static const char where[] = "COF_OPTIONS: ";
	const char *env = secure_getenv("COF_OPTIONS");
	char said[COF_WHY_BYTES] = "";
	int err;

	cof_opts_init(opts);
	err = env ? cof_opts_parse(opts, env, said, sizeof(said)) : 0;
	if (err) {
		if (why)
			snprintf(why, COF_WHY_BYTES, "%s%.*s", where,
				 (int)(COF_WHY_BYTES - sizeof(where)), said);
		return err;
	}
	err = options ? cof_opts_parse(opts, options, said, sizeof(said)) : 0;
	return err ? fail(why, err, said) : 0;
}

/* The first instance of the process reads the constants, for all of them. */
static int read_tuning(char *why)
{
	char said[COF_WHY_BYTES] = "";
	int err = cof_tuning_begin(said, sizeof(said));

	return err ? fail(why, err, said) : 0;
}

static int make_ring(struct cof_ring *ring, uint32_t words)
{
	uint64_t *word = cof_mem_alloc(words * sizeof(*word));

	if (!word)
		return -COF_E_NOMEM;
	cof_ring_init(ring, word, words);
	return 0;
}

/*
 * As large as the options say, unless the process has a limit: then most of
 * that is left to the program.
 */
static struct cof_codemem *reserve(const struct cof *cof, int *err)
{
	uint64_t code = cof_rlimits_addresses((uint64_t)cof->opts.code_mb << 20,
					    CODE_PART);
	uint64_t data = cof_rlimits_data((uint64_t)cof->opts.data_mb << 20,
				       DATA_PART);

	return cof_codemem_new(code > LEAST_CODE ? code : LEAST_CODE,
			       data > LEAST_DATA ? data : LEAST_DATA,
			       cof->host.near, cof->host.near_bytes,
			       err);
}

/* Make what every mode has. On an error cof_free() frees what was made. */
static int make_core(struct cof *cof, char *why)
{
	int err = 0;

	if (cof->opts.code_mb + cof->opts.data_mb > REACH_MB)
		return fail(why, -COF_E_INVAL,
			    "options code_mb and data_mb are more than 2000 "
			    "together");

	/* Registering for the barrier costs nothing while the process has one
	 * thread, and milliseconds once it has more, libcof's included.
	 * cof_stages_begin() reports a kernel without the barrier. */
	if (cof->opts.mode != COF_MODE_OFF)
		cof_barrier_sync_core();
	if (make_ring(&cof->touched, TOUCHED_WORDS) != 0 ||
	    make_ring(&cof->forecasts, FORECAST_WORDS) != 0)
		return fail(why, -COF_E_NOMEM, "no memory");
	cof->codemem = reserve(cof, &err);
	if (!cof->codemem)
		return fail(why, err, err == -COF_E_PERM ?
			    "code memory: the kernel allows none that can be "
			    "executed" :
			    "code memory: no address space of that size");
	cof->index = cof_jitinfo_new();
	cof->threads = cof_threads_new(&cof_sampler_threads_hooks);
	cof->reclaim = cof_reclaim_new();
	if (!cof->index || !cof->threads || !cof->reclaim)
		return fail(why, -COF_E_NOMEM, "no memory");
	err = cof_fork_hooks_enter(cof);
	if (err)
		return fail(why, err, "fork hooks cannot be installed");
	cof->fork_entered = true;
	return 0;
}

/* Also if nothing else is logged, where the user named the directory. */
static void tell_of_no_stats_file(struct cof *cof)
{
	const char *asked = cof->opts.stats, *why = cof->stats_file->why;
	char line[COF_WHY_BYTES + sizeof("COF: no stats file: ")];

	if (why[0] == '\0' || strcmp(asked, "none") == 0)
		return;
	snprintf(line, sizeof(line), "COF: no stats file: %s", why);
	if (asked[0] != '\0' && cof->host.log)
		cof->host.log(cof->host.ctx, line);
	else
		cof_log_line(cof, line);
}

static int start(const struct cof_host *host, const char *options,
		 bool stepped, const struct cof_source *source, char *why,
		 struct cof **out)
{
	char differing[sizeof(((struct cof_stats_file_header *)0)->options)];
	struct cof_opts opts;
	struct cof_host copy;
	struct cof_stats_file *stats;
	struct cof *cof;
	int err;

	if (!out)
		return fail(why, -COF_E_INVAL, "out is NULL");
	*out = NULL;
	err = copy_host(&copy, host, why);
	if (!err)
		err = read_options(&opts, options, why);
	if (!err)
		err = read_tuning(why);
	if (err)
		return err;

	cof_opts_print(&opts, differing, sizeof(differing));
	if (opts.finish) {
		opts.dry_run = true;
		opts.source = COF_SOURCE_NONE;
	}
	stats = cof_stats_file_open(opts.stats, copy.name, differing);
	if (!stats)
		return fail(why, -COF_E_NOMEM, "no memory");
	cof_stats_file_reasons(stats, copy.reasons, copy.n_reasons);
	cof_mem_account(&stats->flow->memory);
	cof = cof_mem_alloc(sizeof(*cof));
	if (!cof) {
		cof_mem_unaccount(&stats->flow->memory);
		cof_stats_file_close(stats);
		return fail(why, -COF_E_NOMEM, "no memory");
	}
	cof->host = copy;
	cof->begin_in_child = cof_child_loop_begin;
	cof->forks = cof_forked_count();
	cof_child_start_init(&cof->child_start);
	cof->opts = opts;
	cof->stats_file = stats;
	cof->flow = stats->flow;
	cof->stepped = stepped;
	cof->stepped_source = source;
	pthread_mutex_init(&cof->code_lock, NULL);
	pthread_mutex_init(&cof->log_lock, NULL);
	cof_file_thread_new(&cof->file_thread);
	tell_of_no_stats_file(cof);

	err = make_core(cof, why);
	if (!err)
		cof_history_begin(cof);
	if (!err && stepped && !cof_has_begun(cof))
		err = fail(why, -COF_E_INVAL,
			   "stepped: mode auto waits for the program, in "
			   "threads");
	if (!err && cof->opts.mode != COF_MODE_OFF)
		err = cof_stages_begin(cof, why);
	if (err) {
		cof_history_free(cof);	/* this run is not recorded */
		cof_free(cof);
		return err;
	}
	*out = cof;
	return 0;
}

int cof_start(const struct cof_host *host, const char *options, char *why,
	      struct cof **out)
{
	return start(host, options, false, NULL, why, out);
}

int cof_start_stepped(const struct cof_host *host, const char *options,
		      const struct cof_source *source, char *why,
		      struct cof **out)
{
	return start(host, options, true, source, why, out);
}

void cof_ready(struct cof *cof)
{
	if (cof)
		cof_history_ready(cof);
}

/* In a fork's child whose loop has not begun there is nothing to stop. */
static bool stops_here(struct cof *cof)
{
	if (!cof)
		return false;
	cof_child_start_forgo(cof);
	return !cof_forked_is_child(cof) &&
	       !atomic_exchange_explicit(&cof->stopped, true,
					 memory_order_acq_rel);
}

void cof_stop(struct cof *cof)
{
	if (!stops_here(cof))
		return;
	cof_sampler_stop(cof);
	cof_predictor_stop(cof);
	cof_optimizer_stop(cof);
	cof_history_end(cof);	/* trials still have their evidence */
	cof_audit_stop(cof);
	cof_phase_reuse_stop(cof);
	cof_file_thread_stop(&cof->file_thread);
	cof_stats_file_stopped(cof->stats_file);
	atomic_store_explicit(&cof->joined, true, memory_order_release);
}

/* Code memory is never written to again, so a fork's child may have it too. */
void cof_quiesce(struct cof *cof)
{
	if (!cof || atomic_exchange_explicit(&cof->quiet, true,
					     memory_order_acq_rel))
		return;
	cof_stop(cof);
	cof_fork_hooks_leave(cof);
}

void cof_exit(struct cof *cof)
{
	if (!stops_here(cof))
		return;
	cof_sampler_stop(cof);
	cof_history_end(cof);
	cof_stats_file_stopped(cof->stats_file);
}

/*
 * After cof_exit() threads of libcof's go on until the process is gone. In a
 * fork's child libcof's threads are gone. Whatever they were doing stays
 * half done, and locks of the host's compiler may stay held. So nothing can be
 * freed in order, and all of it is left to exec or exit.
 */
void cof_free(struct cof *cof)
{
	struct cof_stats_file *stats;

	cof_stop(cof);
	if (!cof || cof_forked_is_child(cof) || !cof_sampler_quiet(cof) ||
	    !atomic_load_explicit(&cof->joined, memory_order_acquire))
		return;
	stats = cof->stats_file;
	cof_sampler_free(cof);
	cof_predictor_free(cof);
	cof_optimizer_free(cof);
	cof_phase_reuse_free(cof);
	cof_audit_free(cof);
	cof_history_free(cof);
	if (cof->fork_entered)
		cof_fork_hooks_leave(cof);
	if (cof->reclaim)
		cof_reclaim_free(cof);
	cof_method_free_all(cof);
	cof_threads_free(cof->threads);
	cof_jitinfo_free(cof->index);
	cof_codemem_free(cof->codemem);
	cof_mem_free(cof->touched.word);
	cof_mem_free(cof->forecasts.word);
	pthread_mutex_destroy(&cof->code_lock);
	pthread_mutex_destroy(&cof->log_lock);
	cof_file_thread_free(&cof->file_thread);
	cof_mem_free(cof);
	cof_mem_unaccount(&stats->flow->memory);
	cof_stats_file_close(stats);
}

void cof_program(struct cof *cof, const char *name)
{
	cof_stats_file_program(cof->stats_file, name);
}

void cof_log_line(struct cof *cof, const char *line)
{
	cof_log(cof, "%s", line);
}

int cof_wants_every_method(const struct cof *cof)
{
	return cof_takes_compiled(cof);
}

int cof_was_hot(const struct cof *cof, const char *name)
{
	return cof_history_was_hot(cof, name);
}
