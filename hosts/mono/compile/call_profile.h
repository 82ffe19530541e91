/*
 * call_profile.h - a method's profile: which callees are hot, kept for the next
 * run
 *
 *	build with SPEED  ------+
 *	counted, collect() -----+--> callees --> build with PROFILE
 *	profile_load() ---------+       |
 *	        ^                       v
 *	        +------ history <--- profile_save()
 *
 * In the bytes that are kept a callee is a hash of its name. A run looks for it
 * among the methods that the IL calls, and their callees. So whatever the bytes
 * are, they lead to no other method.
 */
#pragma once

#include "compile/inlining.h"

struct cofm_call_profile {
	struct cofm_inlining in;
	uint64_t name[COFM_INLINED_MAX];	/* hashes, by callee */
	uint32_t life;		/* m->lives when it was made */
};

/* Copy m's profile. False: it has none, or its callees are of a life that has
 * ended. The caller holds the domains; any thread, not inside
 * cofm_attach_enter(). */
bool cofm_call_profile_get(struct cofm_method *m,
			   struct cofm_call_profile *out);

/* Replace m's profile. m is live. Thread: workers. */
void cofm_call_profile_set(struct cofm_method *m,
			   const struct cofm_inlining *in);

/* A version with this profile was slower, or the counts speak against one: in
 * this run and in later ones it has no callees that are hot. */
void cofm_call_profile_refuse(struct cofm_method *m);

/* cof_host's profile_save() and profile_load(), of a live m. What was saved is
 * of any life. */
size_t cofm_call_profile_save(struct cofm_method *m, void *buf, size_t bytes);
int cofm_call_profile_load(struct cofm_method *m, const void *buf,
			   size_t bytes);
