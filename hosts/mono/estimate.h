/*
 * estimate.h - what a plan would bring
 *
 *	SPEED     hot callees inlined
 *	PROFILE   the same by a former run, or those that came to be hot since; or,
 *	          of loops over arrays without hot callees, a mask: an
 *	          optimization more or less than Mono's default
 *
 * A mask made one program of eight a little faster, and one take 1.8 times as long
 * (docs/mono.md): so it is for what can be judged soon, methods that are entered often, by a
 * count.
 */
#ifndef COFM_ESTIMATE_H
#define COFM_ESTIMATE_H

#include "host.h"

/* cof_host's. */
int cofm_estimate(void *ctx, void *method, enum cof_plan now,
		  enum cof_plan plan, struct cof_estimate *out);

/* Is a mask worth a trial, as far as is known? */
bool cofm_estimate_mask(struct cofm_method *m, bool counted);

#endif /* COFM_ESTIMATE_H */
