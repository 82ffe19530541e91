/*
 * optimizer.h - P/O: pick what is worth it, have it built, patch it in
 *
 * The thread shell and its workers. P/O takes forecasts, chooses a plan (plan
 * choice and cost model are pure: measure/cost_model.h), queues builds for the workers,
 * hands what they built to the patcher, and now and then runs reclaim.
 */
#ifndef COF_OPTIMIZER_OPTIMIZER_H
#define COF_OPTIMIZER_OPTIMIZER_H

#include <stdint.h>

struct cof;
struct cof_stage;

int  cof_optimizer_new(struct cof *cof);	/* 0 or -COF_E_NOMEM */
int  cof_optimizer_start(struct cof *cof);	/* its threads; likewise */
void cof_optimizer_stop(struct cof *cof);
void cof_optimizer_free(struct cof *cof);

/*
 * A round of P/O's, which begins at `now_ns`. Returns how long to sleep until the
 * next, unless woken, in ns. P/O.
 */
uint64_t cof_optimizer_step(struct cof *cof, uint64_t now_ns);

/* For who steps P/O: all builds that may run now, on this thread, until none is
 * left that may. Returns how long until one may, in ns, unless P/O queues another.
 * A worker. */
uint64_t cof_optimizer_step_builds(struct cof *cof);

/* The method has its first version, the host's. Mode pgo builds it once more;
 * nothing in other modes. Any thread. */
struct cof_method;
void cof_optimizer_compiled(struct cof *cof, struct cof_method *method);

#endif /* COF_OPTIMIZER_OPTIMIZER_H */
