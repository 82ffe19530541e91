/*
 * stages.c - make and start the stages; see stages.h
 */
#include "api/stages.h"

#include <stdio.h>

#include "api/exit_async.h"
#include "codemem/codemem.h"
#include "history/history.h"
#include "instance.h"
#include "optimizer/optimizer.h"
#include "optimizer/phases/phase_reuse.h"
#include "optimizer/trial/audit.h"
#include "predictor/predictor.h"
#include "process/barrier.h"
#include "sampler/sampler.h"
#include "stats/stats_file.h"

/*
 * Make audit, phases, P/O, and, except in mode pgo, PRE. cof_free() frees what
 * was made. 0 or -COF_E_NOMEM.
 */
static int make(struct cof *cof)
{
	int err = cof_audit_start(cof);

	if (!err)
		err = cof_phase_reuse_start(cof);
	if (!err)
		err = cof_optimizer_new(cof);
	if (!err && cof->opts.mode != COF_MODE_PGO)
		err = cof_predictor_new(cof);
	return err;
}

/*
 * Start their threads, once: from cof_start(), or from SAM if the start was
 * delayed. 0 or -COF_E_NOMEM: the loop cannot begin, and cof_stop() ends the
 * threads that run.
 */
static int start(struct cof *cof)
{
	int err;

	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_keep(cof->codemem);
	pthread_mutex_unlock(&cof->code_lock);
	if (cof->stepped)
		return 0;
	err = cof_optimizer_start(cof);
	return err || !cof->predictor ? err : cof_predictor_start(cof);
}

/* -- What SAM's thread does for an instance -------------------------------- */

static int begin(struct cof *cof, uint64_t *until_cpu_ns)
{
	int err = cof_history_waits(cof) ? start(cof) : 0;

	*until_cpu_ns = err ? 0 : cof_history_decide_late(cof);
	return err;
}

/* On SAM's thread, which would wait for itself in cof_exit(). */
static void left(struct cof *cof)
{
	if (atomic_exchange_explicit(&cof->stopped, true, memory_order_acq_rel))
		return;
	cof_stats_file_stopped(cof->stats_file);
	if (cof->history && !cof_history_waits(cof))
		cof_history_end(cof);
}

static const struct cof_sampler_hooks sampler_hooks = {
	.begin = begin,
	.begun = cof_history_begun,
	.ended = cof_exit_async_serve,
	.left = left,
};

/* -- The start ------------------------------------------------------------- */

static int fail(char *why, int err, const char *text)
{
	if (why)
		snprintf(why, COF_WHY_BYTES, "%s", text);
	return err;
}

int cof_stages_begin(struct cof *cof, char *why)
{
	char said[COF_WHY_BYTES] = "";
	int err = cof_barrier_sync_core();

	if (err)
		return fail(why, err,
			    "the kernel has no membarrier(SYNC_CORE), so only "
			    "mode=off works");
	if (make(cof) != 0 ||
	    (!cof_history_waits(cof) && start(cof) != 0))
		return fail(why, -COF_E_NOMEM, "no memory or no more threads");
	err = cof_sampler_start(cof, &sampler_hooks, said);
	return err ? fail(why, err, said) : 0;
}
