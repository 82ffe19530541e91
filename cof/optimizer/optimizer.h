/*
 * optimizer.h - P/O: pick what is worth it, have it built, patch it in
 *
 * The thread shell and its workers. P/O takes forecasts, chooses a plan (plan
 * choice and cost model are pure: choose.h), queues builds for the workers,
 * hands what they built to the patcher, and now and then runs reclaim.
 */
#ifndef COF_OPTIMIZER_OPTIMIZER_H
#define COF_OPTIMIZER_OPTIMIZER_H

#include <stdint.h>

struct cof;

int  cof_optimizer_new(struct cof *cof);	/* 0 or -COF_E_NOMEM */
int  cof_optimizer_start(struct cof *cof);	/* its threads; likewise */
void cof_optimizer_stop(struct cof *cof);
void cof_optimizer_free(struct cof *cof);

/* The method has its first version, the host's. Mode pgo builds it once more;
 * nothing in other modes. Any thread. */
struct cof_method;
void cof_optimizer_compiled(struct cof *cof, struct cof_method *method);

/* A forecast was queued, or there is something to reclaim. Any thread. */
void cof_optimizer_wake(struct cof *cof);

#endif /* COF_OPTIMIZER_OPTIMIZER_H */
