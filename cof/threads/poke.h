/*
 * poke.h - have a thread run the signal handler once
 *
 * Reclaim asks threads which code they are in. It needs this where the source
 * of samples raises no signals. The handler is the sampler's. While it is
 * installed, cof->threads->poke_signal is its signal.
 *
 * Thread: any, under the threads lock.
 */
#pragma once

struct cof;
struct cof_thread;

/*
 * Have `t` run the handler soon, if `t` runs at all: a one-shot timer on its
 * CPU time. 0 or -COF_E_PERM: no handler is installed, or there are no more
 * timers.
 */
int  cof_poke(struct cof *cof, struct cof_thread *t);

/* Delete the timer of `t`. */
void cof_poke_end(struct cof_thread *t);
