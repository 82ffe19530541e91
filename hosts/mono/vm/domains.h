/*
 * domains.h - application domains, and how one is unloaded
 *
 * Mono compiles a method once for each domain that runs it, and frees that code
 * when the domain is unloaded. So each domain has its own records of methods
 * (method/method.h).
 *
 *	domain_loaded      listed
 *	threads aborted    closed: libcof's threads leave it, for good. From
 *	                   then on Mono does not expect that anything new is
 *	                   made in it, such as a class's table of methods.
 *	domain_unloading   compile/unload drops its methods, and takes it off
 *	                   the list
 *	Mono frees it      its code stays until libcof has dropped each version
 *	                   of Mono's that it knew: until then there is a record
 *	                   of the addresses
 *
 * Thread: any.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <mono/metadata/object.h>

struct cofm;

struct cofm_domain {
	struct cofm_domain *next;	/* of the list */
	MonoDomain         *mono;	/* NULL: it was unloaded */
	bool                is_closed;	/* it is about to be unloaded */

	/* domains.c */
	void               *code;	/* its code manager, once unloaded */
	uint32_t            uses;
	bool                is_left;	/* Mono has destroyed all but the
					 * code */
};

/* Call it before Mono makes the first domain. */
void cofm_domains_follow(struct cofm *host);

/*
 * While a thread holds the domains, none of them is closed or unloaded. Call it
 * before cofm_attach_enter(), and before host->compiling is taken. Not on a
 * thread of the program's: a domain that runs code of its own is not unloaded.
 */
void cofm_domains_hold(void);
void cofm_domains_release(void);

/* The newest; further ones by ->next. The caller holds the domains. */
struct cofm_domain *cofm_domains_first(void);

/* NULL: it is not listed. */
struct cofm_domain *cofm_domains_find(MonoDomain *mono);

/* Are more listed than the first? Quick. */
bool cofm_domains_are_several(void);

/* The domain that has compiled `code` and is not `now`. NULL: there is none. It
 * may be unloaded as soon as no thread runs its code. */
MonoDomain *cofm_domains_owner(MonoDomain *now, uint8_t *code);

/* The calling thread, which is Mono's or inside cofm_attach_enter(), works for
 * the domain. Returns what cofm_domains_back() takes to undo that. */
MonoDomain *cofm_domains_go(const struct cofm_domain *domain);
void        cofm_domains_back(MonoDomain *before);

/*
 * Mono is about to free `mono`. Waits for threads that hold the domains, and
 * keeps others from it until _unload_end(), which takes the domain off the
 * list. NULL: it is not listed; do not call _unload_end(). Thread: Mono's,
 * which counts as one that runs managed code.
 */
struct cofm_domain *cofm_domains_unload_begin(MonoDomain *mono);
void                cofm_domains_unload_end(struct cofm_domain *domain);

/* Libcof knows a piece of the domain's code, or no more. */
void cofm_domain_use(struct cofm_domain *domain);
void cofm_domain_unuse(struct cofm_domain *domain);
