/*
 * inlining.h - which callees go into a method
 *
 * Mono inlines what is shorter than 20 bytes of IL, hot or not, if that compiles to
 * little: not where there are branches. Told to inline a method "aggressively" it
 * takes it up to ten times as long. So for the time of
 * one compilation those callees are marked that samples or counts show to be
 * hot, and what these call in turn.
 */
#ifndef COFM_INLINING_H
#define COFM_INLINING_H

#include "host.h"

#define COFM_INLINED_MAX 32u

struct cofm_inlining {
	MonoMethod *callee[COFM_INLINED_MAX];
	uint32_t    n;
	uint64_t    samples;	/* of all of them */
	uint64_t    own;	/* of the method itself */
};

/* The choice as of now. Quick; any thread. */
void cofm_inlining_choose(const struct cofm_method *m,
			  struct cofm_inlining *out);

bool cofm_inlining_has(const struct cofm_inlining *in,
		       const MonoMethod *callee);

/* Of the callees in `in` that are not in `old`, the samples. */
uint64_t cofm_inlining_new(struct cofm *host, const struct cofm_inlining *in,
			   const struct cofm_inlining *old);

/* Mark those that the program did not mark so itself, and undo it; a bit for each.
 * Under host->compiling. */
uint32_t cofm_inlining_begin(const struct cofm_inlining *in);
void     cofm_inlining_end(const struct cofm_inlining *in, uint32_t marked);

#endif /* COFM_INLINING_H */
