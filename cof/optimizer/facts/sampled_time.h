/*
 * sampled_time.h - CPU time, as samples show it
 *
 *	time in a version = its samples * the time between two samples
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_FACTS_SAMPLED_TIME_H
#define COF_OPTIMIZER_FACTS_SAMPLED_TIME_H

#include <stdint.h>

struct cof;
struct cof_version;

/* CPU time of a thread between two samples of it. */
uint64_t cof_sampled_time_period_ns(const struct cof *cof);

/* How long the method ran so far, in `version` and in those before it, all as
 * if at the speed of `version`. */
double cof_sampled_time_past_ns(const struct cof *cof,
				const struct cof_version *version);

#endif /* COF_OPTIMIZER_FACTS_SAMPLED_TIME_H */
