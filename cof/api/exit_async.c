/*
 * exit_async.c - the exiting thread's side, and SAM's; see exit_async.h
 */
#include "api/exit_async.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fork_code.h"
#include "cof.h"
#include "history/history.h"
#include "history/known_hot.h"
#include "instance.h"
#include "process/exit_request.h"
#include "sampler/sampler.h"
#include "stats/stats_file.h"

void cof_exit_async_serve(struct cof *cof)
{
	if (!cof_exit_request_is_asked(&cof->exit_request))
		return;
	cof_history_end(cof);
	atomic_store(&cof->exit_request.over, 1);
	syscall(SYS_futex, &cof->exit_request.over,
		FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
		INT_MAX);
}

/* Twice the time that SAM itself may wait for the history. */
static void wait_for_sam(struct cof *cof)
{
	uint64_t until = cof_clock_ns() + 2 * cof_history_wait_ns(cof);
	struct timespec at = {
		.tv_sec = (time_t)(until / 1000000000u),
		.tv_nsec = (long)(until % 1000000000u),
	};

	while (!atomic_load(&cof->exit_request.over))
		if (syscall(SYS_futex, &cof->exit_request.over,
			    FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &at,
			    NULL, FUTEX_BITSET_MATCH_ANY) != 0 &&
		    errno == ETIMEDOUT)
			break;
}

COF_FORK_CODE void cof_exit_async_safe(struct cof *cof)
{
	/* A child is not the process, not even vfork(2)'s, which has our
	 * memory. */
	if (!cof || cof->stats_file->owner != getpid() ||
	    !cof_child_start_is_over(cof) ||
	    atomic_exchange_explicit(&cof->stopped, true, memory_order_acq_rel))
		return;
	cof_stats_file_stopped(cof->stats_file);
	if (!cof->history || cof_history_waits(cof))
		return;
	atomic_store(&cof->exit_request.asked, 1);
	if (cof_sampler_ask(cof))
		wait_for_sam(cof);
}
