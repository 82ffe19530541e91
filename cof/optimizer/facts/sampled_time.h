/*
 * sampled_time.h - CPU time, estimated from samples
 *
 *	time in a version = its samples * the time between two samples
 *
 * Thread: P/O.
 */
#pragma once

#include <stdint.h>

struct cof;
struct cof_version;

/* CPU time in ns of a thread between two of its samples, on average so far: the
 * budget of sampling changes the period. */
uint64_t cof_sampled_time_period_ns(const struct cof *cof);

/* CPU time in ns of the method so far, in `version` and earlier ones, all
 * converted to the speed of `version`. */
double cof_sampled_time_past_ns(const struct cof *cof,
				const struct cof_version *version);
