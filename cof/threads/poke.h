/*
 * poke.h - have a thread run the signal handler once
 *
 * For reclaim, which asks threads what they are in, where the source of samples
 * raises no signals. The handler is the sampler's; while it is installed,
 * cof->threads->poke_signal says by which signal it comes.
 *
 * Thread: any, under the threads lock.
 */
#ifndef COF_THREADS_POKE_H
#define COF_THREADS_POKE_H

struct cof;
struct cof_thread;

/*
 * Have `t` run the handler soon, but only if it runs at all: a one-shot timer
 * on its CPU time. 0 or -COF_E_PERM: no handler, or no more timers.
 */
int  cof_poke(struct cof *cof, struct cof_thread *t);

/* No more pokes of this thread. */
void cof_poke_end(struct cof_thread *t);

#endif /* COF_THREADS_POKE_H */
