/*
 * child_loop.c - leave the parent's stages behind, make others
 */
#include "api/child_loop.h"

#include <stdatomic.h>
#include <string.h>

#include "api/stages.h"
#include "base/log.h"
#include "codemem/block.h"
#include "history/history.h"
#include "instance.h"
#include "optimizer/inherited.h"
#include "optimizer/optimizer.h"
#include "predictor/predictor.h"
#include "process/exit_request.h"
#include "process/forked.h"
#include "process/process.h"
#include "reclaim/reclaim.h"
#include "stats/stats_file.h"

static void renew_stats_file(void *arg)
{
	char differing[sizeof(((struct cof_stats_file_header *)0)->options)];
	struct cof *cof = arg;

	cof_opts_print(&cof->opts, differing, sizeof(differing));
	/* Without a file the child counts in memory. */
	(void)cof_stats_file_in_child(cof->stats_file, cof->opts.stats,
				      cof->host.name, differing);
}

/* Guest threads that see the new count of forks see the new history. */
static void become_an_instance(struct cof *cof)
{
	memset(&cof->exit_request, 0, sizeof(cof->exit_request));
	cof_file_thread_new(&cof->file_thread);
	cof->begins_cpu_ns = 0;
	atomic_store_explicit(&cof->begun, false, memory_order_relaxed);
	cof_history_begin_in_child(cof);
	atomic_store_explicit(&cof->forks, cof_forked_count(),
			      memory_order_release);
}

/* The code stays as it is. */
static void remain_a_child(struct cof *cof)
{
	atomic_store_explicit(&cof->forks, cof_forked_count() - 1,
			      memory_order_release);
	cof_log(cof, "COF: the loop does not begin in this child");
}

/* The parent's ones are no thread's here, and are not stopped. */
static int begin_stages(struct cof *cof)
{
	const struct cof_optimizer *parents = cof->optimizer;
	int err = cof_stages_begin(cof, NULL);

	if (err && cof->optimizer != parents) {
		cof_predictor_stop(cof);
		cof_optimizer_stop(cof);
	}
	return err;
}

static int begin(struct cof *cof)
{
	int err;

	if (cof->host.child_begins(cof->host.ctx) != 0)
		return -COF_E_STATE;
	cof_call_with_private_files(cof, renew_stats_file, cof);
	err = cof_reclaim_in_child(cof);
	if (err)
		return err;
	cof_inherited_clear(cof);
	pthread_mutex_lock(&cof->code_lock);
	cof_block_count(cof);
	pthread_mutex_unlock(&cof->code_lock);
	err = begin_stages(cof);
	if (err == 0)
		cof_process_signal_forget((int)cof->opts.signal);
	return err;
}

void cof_child_loop_begin(struct cof *cof)
{
	become_an_instance(cof);
	if (begin(cof) != 0) {
		remain_a_child(cof);
		return;
	}
	cof_count_add_shared(&cof->flow->threads.child_loops, 1);
	cof_log(cof, "COF: the loop begins in a child of fork(2)");
}
