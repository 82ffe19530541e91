/*
 * estimate.h - what a plan costs and brings, by the size of a body
 *
 * Pure, and without LLVM: libcof asks this of methods that are built in the end, and
 * of many more that are not.
 */
#ifndef COFL_PROGRAM_ESTIMATE_H
#define COFL_PROGRAM_ESTIMATE_H

#include "cof.h"

/* host.estimate() */
int  cofl_estimate(void *ctx, void *method, enum cof_plan now,
		   enum cof_plan plan, struct cof_estimate *out);

#endif /* COFL_PROGRAM_ESTIMATE_H */
