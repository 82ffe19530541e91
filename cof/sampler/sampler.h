/*
 * sampler.h - SAM: rings to JIT-info records
 *
 * SAM drains the threads' rings, drops native samples (counted), maps each pc
 * to a version and adds 1 to its calls; the first sample of a version in a
 * generation also goes to PRE as "touched". It keeps the sampling budget and
 * frees detached threads. It sleeps longer while no samples come, and wakes PRE
 * when they come again.
 */
#ifndef COF_SAMPLER_SAMPLER_H
#define COF_SAMPLER_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

struct cof;

/* Open the source and start the thread. 0, -COF_E_NOMEM, -COF_E_INVAL (an
 * event or replay file that was asked for by name cannot be had; one line in
 * why). Without any source it starts all the same. In mode pgo without source
 * and thread: its handler answers reclaim's pokes, and that is all. A stepped
 * instance has the source and no thread. */
int  cof_sampler_start(struct cof *cof, char *why);
void cof_sampler_stop(struct cof *cof);		/* join; sources closed */
void cof_sampler_free(struct cof *cof);

/* SAM is to stop, and is not waited for. False: there is no such thread. Async-
 * signal-safe. */
bool cof_sampler_ask(struct cof *cof);

/*
 * Is no signal handler in the instance any more? Stopped, and those under way
 * waited for, 2 s at most (threads.h). False: what they touch must stay.
 */
bool cof_sampler_quiet(struct cof *cof);

/*
 * A round of SAM's, at `now_ns`. Returns how long to sleep until the next, unless
 * woken, in ns. SAM, as a reader of the index (jitinfo.h), once the loop has begun.
 */
uint64_t cof_sampler_step(struct cof *cof, uint64_t now_ns);

/* For who steps it: where wakes arrive. */
struct cof_stage;
struct cof_stage *cof_sampler_stage(struct cof *cof);

/* SAM goes round soon, even if it sleeps long. Any thread. */
void cof_sampler_wake(struct cof *cof);

/*
 * Begin and end sampling a thread; on that thread, under the threads lock. End
 * returns true if SAM will drain and free the record, false if the caller must.
 */
struct cof_thread;
void cof_sampler_attach(struct cof *cof, struct cof_thread *t);
bool cof_sampler_detach(struct cof *cof, struct cof_thread *t);

/* Words of a thread's ring that hold what comes between two drains. */
uint64_t cof_sampler_ring_words(const struct cof *cof);

/*
 * Have `t` run the signal handler once, soon, but only if it runs at all: a
 * one-shot CPU-time timer. For reclaim, where the source raises no signals.
 * Under the threads lock. 0 or -COF_E_PERM.
 */
int  cof_sampler_poke(struct cof *cof, struct cof_thread *t);

#endif /* COF_SAMPLER_SAMPLER_H */
