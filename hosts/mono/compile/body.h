/*
 * body.h - one compiled body: all that belongs to it, and how it is freed
 *
 * Mono needs no second body of a method, so it never frees one. A body holds
 *	- code, in a code manager of its own,
 *	- the record that stack walks find (vm/jit_record.h),
 *	- its lines (compile/lines.h),
 *	- places in Mono's lists of jumps that are still to be bound.
 */
#pragma once

#include <stdint.h>

#include "vm/host.h"

struct cofm_body {
	struct cofm_domain *domain;
	MonoJitInfo *info;
	uint8_t     *code;
	uint32_t     size;
	void        *dynamic;	/* Mono's, with `manager` in it; NULL: none */
	void        *manager;	/* the body's own code memory; NULL: the code is
				 * in Mono's and stays as long as the domain */

	/* body.c: in the list of those that have a manager. */
	struct cofm_body *next, **link;
};

/*
 * Make Mono forget `body`, which it has just compiled for `mono`. Otherwise
 * Mono would free it when the domain ends. False: Mono has another body there,
 * or none, so this is not the known Mono. Inside cofm_attach_enter().
 */
bool cofm_body_take(MonoMethod *mono, const struct cofm_body *body);

/* List the body, which has a manager, until it is freed. It stays where it is.
 * The caller holds the domains. */
void cofm_body_keep(struct cofm_body *body);

/* Free the body. No thread may be in it any more. Thread: any of libcof's,
 * outside of cofm_attach_enter(). */
void cofm_body_free(struct cofm *host, struct cofm_body *body);

/* The domain is about to be freed: take its bodies out of its tables. Between
 * cofm_domains_unload_begin() and _end(). */
void cofm_body_unload(const struct cofm_domain *domain);
