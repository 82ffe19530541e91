/*
 * inlining.h - which callees go into a method
 *
 * Mono inlines what is shorter than 20 bytes of IL, hot or not. Told to inline a
 * method "aggressively" it takes it up to ten times as long. So for the time of
 * one compilation those callees are marked that samples show to be hot, and what
 * these call in turn.
 */
#ifndef COFM_INLINING_H
#define COFM_INLINING_H

#include "host.h"

#define COFM_INLINED_MAX 32u

struct cofm_inlining {
	struct cofm_method *callee[COFM_INLINED_MAX];
	uint32_t            n;
	uint64_t            samples;	/* of all of them */
};

/* The choice as of now. Quick; any thread. */
void cofm_inlining_choose(const struct cofm_method *m,
			  struct cofm_inlining *out);

/* Mark them, and undo it. Under host->compiling. */
void cofm_inlining_begin(const struct cofm_inlining *in);
void cofm_inlining_end(const struct cofm_inlining *in);

#endif /* COFM_INLINING_H */
