/*
 * worker.h - the threads that build
 *
 *	P/O                        worker
 *	put  -> queue, by urgency -> take, once the allowance permits
 *	                             do what it says (job.h)
 *	collect <-------- done <---- give
 *
 * A long build would keep all others waiting, those that are due first among
 * them: so of several workers the last one takes short builds only. What is short
 * depends on what the others are at: while a build of two seconds runs, one of
 * half a second does not wait for its end.
 *
 * One lock guards queue, done and cpu_budget; it is a leaf: no other lock and no
 * callback of the host's is ever taken under it. Workers run 10 nicer than the
 * process: the program comes first.
 */
#ifndef COF_OPTIMIZER_BUILD_WORKER_H
#define COF_OPTIMIZER_BUILD_WORKER_H

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
	const struct cof_build *at;	/* [lock] what it builds, or NULL */
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
	struct cof_build_cpu_budget cpu_budget;		/* [lock] */
	uint64_t             held_ns;		/* [lock] since when builds wait
						 * for the cpu_budget; 0: none */
	uint32_t             given;		/* [lock] put, and not collected
						 * or withdrawn so far */
	uint64_t             quiet_ns;		/* [lock] when that became 0 */
};

/* As many as option workers says; one that is done wakes P/O. 0
 * or -COF_E_NOMEM: then nothing is left allocated. */
int  cof_workers_new(struct cof_workers *w, struct cof *cof);

/* Their threads. 0 or -COF_E_NOMEM: then none is left running. */
int  cof_workers_start(struct cof_workers *w);

/* In place of threads: the caller is the first worker for as long as there are
 * builds that may run. Returns how long until one may, unless more are put, in ns. */
uint64_t cof_workers_step(struct cof_workers *w);

/* Tell build() to stop, and join. What waits and what is done stays here. */
void cof_workers_stop(struct cof_workers *w);

/* Frees what new made; nothing may be queued or done any more. */
void cof_workers_free(struct cof_workers *w);

/* P/O. 0 or -COF_E_NOMEM: the build is still the caller's. */
int  cof_workers_put(struct cof_workers *w, struct cof_build *build);

/* P/O: all that are done, as a list, oldest first; the caller's. */
struct cof_build *cof_workers_collect(struct cof_workers *w);

/* P/O, or once stopped: take one off that waits. NULL: none. */
struct cof_build *cof_workers_withdraw(struct cof_workers *w);

/* P/O: since when there is no build, cof_clock_ns(); UINT64_MAX: there is one,
 * queued, running, or done and not collected. */
uint64_t cof_workers_quiet_ns(struct cof_workers *w);

/* CPU time of all workers so far, builds in progress included. */
uint64_t cof_workers_cpu_ns(const struct cof_workers *w);

#endif /* COF_OPTIMIZER_BUILD_WORKER_H */
