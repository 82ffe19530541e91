/*
 * estimate.h - what a plan would bring
 *
 *	SPEED     hot callees inlined
 *	PROFILE   callees inlined that an earlier run found hot, or that became
 *	          hot since
 *
 * Other optimizations than Mono's default are not tried: its removal of bounds
 * checks (abcrem) takes out some that are needed (docs/lab/dotnet.md).
 */
#pragma once

#include "vm/host.h"

/* cof_host's estimate(), of a live method. The caller holds the domains. */
int cofm_estimate(void *ctx, void *method, enum cof_plan now,
		  enum cof_plan plan, struct cof_estimate *out);
