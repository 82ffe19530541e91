/*
 * method.h - the methods that libcof knows
 */
#pragma once

#include "vm/host.h"

/*
 * Make the record of a method of `domain` that is to be added. `info`: its
 * code, which Mono has compiled or has from an image. The caller holds the
 * domains and is inside cofm_attach_enter(), or is a thread of Mono's in the
 * domain. NULL: no memory.
 */
struct cofm_method *cofm_method_new(struct cofm *host,
				    struct cofm_domain *domain,
				    MonoMethod *mono, MonoJitInfo *info);

/*
 * Give m to libcof, with that code as version 0. The record of such a method of
 * a domain that was unloaded becomes its record. The caller as above, but not
 * inside cofm_attach_enter(). False: no memory, or another record of the method
 * is there already. In any case m was freed, or is live.
 */
bool cofm_method_add(struct cofm_method *m);

/* The record of `mono` in `domain`. NULL: it was never sampled, nor compiled in
 * mode pgo. */
struct cofm_method *cofm_method_find(struct cofm *host,
				     const struct cofm_domain *domain,
				     MonoMethod *mono);

/* Is its domain there, and not about to go? The caller holds the domains. */
static inline bool cofm_method_is_live(const struct cofm_method *m)
{
	const struct cofm_domain *domain = atomic_load_explicit(
		&((struct cofm_method *)m)->domain, memory_order_acquire);

	return domain && !domain->is_closed;
}

/* Take the domain's methods from libcof. Between cofm_domains_unload_begin()
 * and _end(). */
void cofm_method_unload(struct cofm *host, struct cofm_domain *domain);

/* What libcof is to know version 0 by, or its copy: cofm_callbacks' discard()
 * gets it. NULL is fine. */
struct cofm_version *cofm_method_first(struct cofm_domain *domain);
void cofm_method_first_gone(struct cofm_version *version);

/* From now on no version of m is built. */
void cofm_method_decline(struct cofm_method *m, enum cofm_declined why);

/* All reasons, for struct cof_host. */
const struct cof_reason *cofm_method_reasons(size_t *n);

bool cofm_method_is_declined(const struct cofm_method *m);

/* Write a line to libcof's log for each reason: how many methods, how many
 * samples. */
void cofm_method_report_declined(struct cofm *host);
