/*
 * worker.h - the threads that build
 *
 *	P/O                        worker
 *	put  -> queue, by urgency -> take, once the CPU budget permits
 *	                             run the job (job.h)
 *	collect <-------- done <---- give
 *
 * A long build would keep more urgent ones waiting. So of several workers the
 * last one takes short builds only. What is short depends on the builds of the
 * others: while a build of two seconds runs, one of half a second need not wait
 * for its end.
 *
 * One lock guards queue, done and cpu_budget. It is a leaf: no thread takes
 * another lock or calls the host under it. Workers run nicer than the process
 * by option build_nice, so that the program comes first.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "optimizer/build/build_cpu_budget.h"
#include "optimizer/build/queue.h"
#include "process/stage.h"

struct cof;

struct cof_worker {
	struct cof_stage    stage;
	struct cof_workers *all;
	bool                brief;	/* short builds only; constant */
	const struct cof_build *at;	/* [lock] its build, or NULL */
	uint64_t            since_ns;	/* [lock] since when */
};

struct cof_workers {
	struct cof          *cof;		/* constant */
	struct cof_worker   *worker;		/* n of them; constant */
	uint32_t             n;
	int                  stop;	/* atomic; what build() polls */

	pthread_mutex_t      lock;
	struct cof_queue     queue;		/* [lock] */
	struct cof_build    *done;		/* [lock] oldest first */
	struct cof_build   **done_end;		/* [lock] */
	struct cof_build_cpu_budget cpu_budget;	/* [lock] */
	uint64_t             held_ns;		/* [lock] since when builds wait
						 * for the budget; 0: none do */
	uint32_t             given;		/* [lock] builds put and not yet
						 * collected or withdrawn */
	uint64_t             quiet_ns;		/* [lock] when given became 0 */
};

/* As many workers as option workers says. 0 or -COF_E_NOMEM: nothing is left
 * allocated. */
int  cof_workers_new(struct cof_workers *w, struct cof *cof);

/* Start the threads; each wakes P/O when a build is done. 0 or -COF_E_NOMEM: no
 * thread is left running. */
int  cof_workers_start(struct cof_workers *w);

/* Without threads: the caller acts as the first worker while there are builds
 * that may run. Returns how long until the next may, in ns, unless more are
 * put. */
uint64_t cof_workers_step(struct cof_workers *w);

/* Tell build() to stop, and join the threads. Waiting and done builds
 * remain. */
void cof_workers_stop(struct cof_workers *w);

/* Free what cof_workers_new() made; no build may be queued or done. */
void cof_workers_free(struct cof_workers *w);

/* P/O. 0 or -COF_E_NOMEM: the caller still owns the build. */
int  cof_workers_put(struct cof_workers *w, struct cof_build *build);

/* P/O: all done builds as a list, oldest first. The caller owns them. */
struct cof_build *cof_workers_collect(struct cof_workers *w);

/* P/O, or once stopped: take off a waiting build. NULL: none. */
struct cof_build *cof_workers_withdraw(struct cof_workers *w);

/* P/O: since when there is no build, as cof_clock_ns(). UINT64_MAX: a build is
 * queued, running, or done and not collected. */
uint64_t cof_workers_quiet_ns(struct cof_workers *w);

/* CPU time in ns of all workers so far, builds in progress included. */
uint64_t cof_workers_cpu_ns(const struct cof_workers *w);
