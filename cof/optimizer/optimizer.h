/*
 * optimizer.h - P/O: pick what is worth it, have it built, patch it in
 *
 * The thread shell and its workers. P/O takes forecasts, chooses a plan with
 * the pure cost model (measure/cost_model.h), queues builds for the workers,
 * hands their results to the patcher, and runs reclaim when it is due.
 */
#pragma once

#include <stdint.h>

struct cof;

struct cof_method;

/* Allocate cof->optimizer. 0 or -COF_E_NOMEM. */
int  cof_optimizer_new(struct cof *cof);

/* Start the workers' threads and P/O's. 0 or -COF_E_NOMEM. */
int  cof_optimizer_start(struct cof *cof);

/* Stop and join the threads; count all unfinished work as STOPPED. Blocks. */
void cof_optimizer_stop(struct cof *cof);
void cof_optimizer_free(struct cof *cof);

/*
 * One turn of P/O, which begins at `now_ns`. Returns how long to sleep before
 * the next turn, in ns; a wake ends the sleep early. Thread: P/O.
 */
uint64_t cof_optimizer_step(struct cof *cof, uint64_t now_ns);

/*
 * For a caller that steps P/O: run, on this thread, all builds that may run
 * now. Returns how long until the next one may, in ns, unless P/O queues
 * another. Thread: a worker.
 */
uint64_t cof_optimizer_step_builds(struct cof *cof);

/*
 * The host has compiled the method's first version. Mode pgo builds it once
 * more, if it takes what is compiled; other modes do nothing. Any thread; never
 * blocks.
 */
void cof_optimizer_compiled(struct cof *cof, struct cof_method *method);
