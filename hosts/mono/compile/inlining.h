/*
 * inlining.h - choose the callees that are inlined in a method
 *
 * By itself Mono inlines callees shorter than 20 bytes of IL, hot or not, if
 * they compile to little code: none with branches. Of a method marked
 * "aggressive" it inlines up to ten times as much. So for one compilation this
 * host marks the callees that samples or counts show to be hot, and their hot
 * callees in turn.
 */
#pragma once

#include "vm/host.h"

#define COFM_INLINED_MAX 32u

struct cofm_inlining {
	MonoMethod *callee[COFM_INLINED_MAX];
	uint32_t    n;
	uint64_t    samples;	/* of all callees chosen */
	uint64_t    own;	/* samples of the method itself */
};

/* Choose for m, which is live, by the samples and counts of now. Quick. Thread:
 * any that holds the domains. */
void cofm_inlining_choose(const struct cofm_method *m,
			  struct cofm_inlining *out);

bool cofm_inlining_has(const struct cofm_inlining *in,
		       const MonoMethod *callee);

/* The samples of m's callees that are in `in` and not in `old`. */
uint64_t cofm_inlining_new(const struct cofm_method *m,
			   const struct cofm_inlining *in,
			   const struct cofm_inlining *old);

/* _begin() marks the callees that the program did not mark itself and returns a
 * bit for each; _end() removes these marks. Under host->compiling. */
uint32_t cofm_inlining_begin(const struct cofm_inlining *in);
void     cofm_inlining_end(const struct cofm_inlining *in, uint32_t marked);
