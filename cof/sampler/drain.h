/*
 * drain.h - what a thread and its source gathered, into words and counters
 *
 * Samples are counted `taken` when they are taken off a ring, not when they go
 * on, so that at any time taken == counted + drops.
 *
 * Thread: SAM, as a reader of the index, but cof_drain_cpu(): anyone. All under
 * the threads lock.
 */
#ifndef COF_SAMPLER_DRAIN_H
#define COF_SAMPLER_DRAIN_H

#include <stdint.h>

struct cof;
struct cof_cost;
struct cof_thread;

/* Credit everything t holds, and add its cost. Returns the samples seen. */
uint64_t cof_drain_thread(struct cof *cof, struct cof_thread *t,
			  struct cof_cost *cost);

/* A cof_sample_fn for samples of no thread; arg is the struct cof. */
void cof_drain_sink(void *arg, const uint64_t *w, uint64_t n);

/* CPU time in ns that t used since it was last asked, also if it is gone. */
uint64_t cof_drain_cpu(struct cof_thread *t);

#endif /* COF_SAMPLER_DRAIN_H */
