/*
 * host_estimate.h - what the host expects of a plan
 *
 * Thread: P/O.
 */
#pragma once

#include "cof.h"

struct cof;
struct cof_method;

/* The host's estimate of `plan` in place of `now`. All 0: the host does not
 * say. */
struct cof_estimate cof_host_estimate(const struct cof *cof,
				      const struct cof_method *method,
				      enum cof_plan now, enum cof_plan plan);
