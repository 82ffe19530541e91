/*
 * locate.c - ask Mono's tables of compiled code
 *
 * Each domain has one. Code of images compiled ahead of time is the first
 * domain's.
 */
#include "method/locate.h"

#include <mono/jit/jit.h>

#include "vm/method_flags.h"
#include "vm/host.h"
#include "vm/attach.h"
#include "method/method.h"
#include "vm/jit_record.h"

/* Below this Mono maps memory for code, also of trampolines. */
#define MONOS_END ((uintptr_t)1 << 31)

/* Count a sample that is in Mono's code and in no method to add. Samples in
 * native libraries are not counted here. */
static void count_declined(struct cofm *host, const void *ip, bool is_dynamic)
{
	if (is_dynamic)
		atomic_fetch_add_explicit(&host->dynamic, 1,
					  memory_order_relaxed);
	else if ((uintptr_t)ip < MONOS_END)
		atomic_fetch_add_explicit(&host->foreign, 1,
					  memory_order_relaxed);
}

struct place {
	struct cofm_domain *domain;
	MonoJitInfo *info;
	MonoMethod  *mono;	/* NULL: the code is of no method */
	int          size;
	bool         is_dynamic;
};

static struct place place_of(struct cofm_domain *domain, MonoJitInfo *info)
{
	struct place p = { .domain = domain, .info = info };

	if (!info)
		return p;
	p.mono = mono_jit_info_get_method(info);
	p.size = mono_jit_info_get_code_size(info);
	p.is_dynamic = p.mono && cofm_method_is_dynamic(p.mono);
	return p;
}

/*
 * When nothing refers to a DynamicMethod any more, Mono's finalizer thread
 * frees its record and then its code, under the domain's lock. So the look-up
 * holds that lock. Methods of images are never freed, and a look-up in an image
 * may not be done under the lock.
 */
static struct place find_in(struct cofm_domain *domain, const void *ip)
{
	MonoDomain *mono = domain->mono;
	MonoJitInfo *info = mono_jit_info_table_find(mono, (char *)ip);
	struct place p;

	if (!info || cofm_jit_record_is_in_image(info))
		return place_of(domain, info);
	mono_domain_lock(mono);
	p = place_of(domain, mono_jit_info_table_find(mono, (char *)ip));
	mono_domain_unlock(mono);
	return p;
}

static struct place find(const void *ip)
{
	struct cofm_domain *d = cofm_domains_first();
	struct place p = { .info = NULL };

	for (; d && !p.info; d = d->next)
		if (!d->is_closed)
			p = find_in(d, ip);
	return p;
}

/* The caller holds the domains, inside cofm_attach_enter(). NULL: there is no
 * method, or none that libcof shall know. */
static struct cofm_method *look_up(struct cofm *host, const void *ip)
{
	struct place p = find(ip);

	/* A sample may come late, when libcof has already dropped its
	 * version. */
	if (p.mono && (cofm_jit_record_is_ours(p.info) ||
		       cofm_method_find(host, p.domain, p.mono)))
		return NULL;
	/* Mono frees a dynamic method's code and reports it to nobody. */
	if (!p.mono || p.size <= 0 || p.is_dynamic) {
		count_declined(host, ip, p.mono && p.size > 0);
		return NULL;
	}
	return cofm_method_new(host, p.domain, p.mono, p.info);
}

int cofm_locate(void *ctx, const void *ip)
{
	struct cofm *host = ctx;
	struct cofm_method *m = NULL;
	bool added;

	cofm_domains_hold();
	if (cofm_attach_enter(host)) {
		m = look_up(host, ip);
		cofm_attach_leave();
	}
	added = m && cofm_method_add(m);
	cofm_domains_release();
	return added;
}

/* -- Mode pgo: methods as Mono compiles them ------------------------------- */

/* The method that Mono was `asked` for may be an instance that shares the
 * body. */
static void compiled(MonoProfiler *ctx, MonoMethod *asked, MonoJitInfo *info)
{
	struct cofm *host = (struct cofm *)ctx;
	struct cofm_domain *domain;
	struct cofm_method *m;
	MonoMethod *mono;

	(void)asked;
	if (!atomic_load_explicit(&host->running, memory_order_acquire))
		return;
	mono = mono_jit_info_get_method(info);
	domain = cofm_domains_find(mono_domain_get());
	if (!domain || cofm_method_is_dynamic(mono) ||
	    mono_jit_info_table_find(domain->mono,
		mono_jit_info_get_code_start(info)) != info ||
	    cofm_method_find(host, domain, mono))
		return;
	m = cofm_method_new(host, domain, mono, info);
	if (m)
		cofm_method_add(m);
}

void cofm_locate_all(struct cofm *host)
{
	host->takes_all = cof_wants_every_method(host->cof);
	if (host->takes_all)
		mono_profiler_set_jit_done_callback(host->profiler, compiled);
}
