/*
 * drain.h - move a thread's samples from its ring and source to the COF words
 *
 * A sample counts as `taken` when SAM takes it off a ring, not when the handler
 * puts it on. So taken == counted + drops holds at any time.
 *
 * Thread: SAM, as a reader of the index; cof_drain_cpu(): any. All under the
 * threads lock.
 */
#pragma once

#include <stdint.h>

struct cof;
struct cof_cost;
struct cof_thread;

/* Credit all samples of t, and add their cost. Returns their number. */
uint64_t cof_drain_thread(struct cof *cof, struct cof_thread *t,
			  struct cof_cost *cost);

/* A cof_sample_fn that credits a sample; arg is the struct cof. */
void cof_drain_sink(void *arg, const uint64_t *w, uint64_t n);

/* CPU time in ns that t used since the last call, also if t is gone. */
uint64_t cof_drain_cpu(struct cof_thread *t);
