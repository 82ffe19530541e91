/*
 * optimizer.h - P/O: pick what is worth it, have it built, patch it in
 *
 * The thread shell and its workers. P/O takes forecasts, chooses a plan (plan
 * choice and cost model are pure: choose.h), queues builds for the workers,
 * hands what they built to the patcher, and now and then runs reclaim.
 */
#ifndef COF_OPTIMIZER_OPTIMIZER_H
#define COF_OPTIMIZER_OPTIMIZER_H

struct cof;

int  cof_optimizer_start(struct cof *cof);	/* 0 or -COF_E_NOMEM */
void cof_optimizer_stop(struct cof *cof);
void cof_optimizer_free(struct cof *cof);

/* A forecast was queued, or there is something to reclaim. Any thread. */
void cof_optimizer_wake(struct cof *cof);

#endif /* COF_OPTIMIZER_OPTIMIZER_H */
