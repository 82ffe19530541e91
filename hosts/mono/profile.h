/*
 * profile.h - what is known of how a method runs, and kept for the next run
 *
 *	build with SPEED  ------+
 *	counted, collect() -----+--> callees, mask --> build with PROFILE
 *	profile_load() ---------+         |
 *	        ^                         v
 *	        +------ history <--- profile_save()
 *
 * In bytes a callee is a hash of its name: it is looked for among what the IL
 * calls, and what that calls, so bytes of any kind lead to no other method.
 */
#ifndef COFM_PROFILE_H
#define COFM_PROFILE_H

#include "inlining.h"

struct cofm_profile {
	struct cofm_inlining in;
	uint64_t name[COFM_INLINED_MAX];	/* hashes, by callee */
	bool     masked;	/* compile with other optimizations than Mono's,
				 * host->abcrem: to be tried */
};

/* Copies. Not inside cofm_enter(). False: there is none. Any thread. */
bool cofm_profile_get(struct cofm_method *m, struct cofm_profile *out);

/* From now on it is this. Thread: workers. */
void cofm_profile_set(struct cofm_method *m, const struct cofm_inlining *in,
		      bool masked);

/* A version built with it was slower, or what was counted speaks against one: a
 * mask is not worth a trial, in later runs neither. */
void cofm_profile_refuse(struct cofm_method *m);

/* cof_host's. */
size_t cofm_profile_save(struct cofm_method *m, void *buf, size_t bytes);
int    cofm_profile_load(struct cofm_method *m, const void *buf, size_t bytes);

#endif /* COFM_PROFILE_H */
