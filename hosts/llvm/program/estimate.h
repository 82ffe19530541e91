/*
 * estimate.h - cost and speed-up of a plan, by the size of a method's body
 *
 * Pure, and without LLVM: libcof also asks about methods that are never built.
 */
#pragma once

#include "cof.h"

/* host.estimate() */
int  cofl_estimate(void *ctx, void *method, enum cof_plan now,
		   enum cof_plan plan, struct cof_estimate *out);
