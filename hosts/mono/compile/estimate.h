/*
 * estimate.h - what a plan would bring
 *
 *	SPEED     hot callees inlined
 *	PROFILE   callees inlined that an earlier run found hot, or that became
 *	          hot since; or, for loops over arrays without hot callees, a
 *	          mask: one optimization more or less than Mono's default
 *
 * A mask made one program of eight a little faster, and made one take 1.8 times
 * as long (docs/lab/dotnet.md). So it is for methods that are entered often, by
 * a count: of these a trial ends soon.
 */
#pragma once

#include "vm/host.h"

/* cof_host's estimate(), of a live method. The caller holds the domains. */
int cofm_estimate(void *ctx, void *method, enum cof_plan now,
		  enum cof_plan plan, struct cof_estimate *out);

/* Is a mask worth a trial? `counted`: only if the count of entries says so. */
bool cofm_estimate_mask(struct cofm_method *m, bool counted);
