/*
 * known_hot.h - what history.c and known_hot.c share: an instance's history
 *
 * history.c loads and saves it. known_hot.c has the hot set that earlier runs
 * left, whose methods arrive one by one.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/arrivals.h"
#include "history/hotset.h"
#include "history/run_verdict.h"
#include "history/store/io_thread.h"
#include "history/store/db_path.h"
#include "instance.h"

struct cof_history {
	/* Constant once decided. */
	_Atomic bool               decided;
	struct cof_history_record  blank;	/* records begin as this */
	struct cof_history_past    past;
	struct cof_history_hotset  hot;		/* may be empty */
	struct cof_run_evidence    evidence;
	bool                       is_child;	/* a fork's */
	uint64_t                   began_ns, began_cpu_ns;
	char                       path[COF_HISTORY_PATH]; /* "": no history */

	/* P/O. */
	uint64_t                   due_ns, period_ns;
	bool                       said;	/* logged that saving fails */

	pthread_mutex_t            lock;	/* taken before the I/O
						 * thread's */
	/* [lock] */
	struct cof_history_io_thread *io_thread; /* NULL: nothing is saved */

	struct cof_history_arrivals arrivals;	/* of `hot` */
};

/* Pairs with A in history.c, for threads other than SAM. */
static inline bool cof_history_is_decided(struct cof_history *h)
{
	return atomic_load_explicit(&h->decided, memory_order_acquire);
}

static inline uint64_t cof_history_wait_ns(const struct cof *cof)
{
	return cof->opts.history_wait_ms * UINT64_C(1000000);
}

/* The decision came late: methods that have a version by now arrive.
 * Thread: SAM. */
void cof_history_known_late(struct cof *cof);
