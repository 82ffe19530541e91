/*
 * locate.c - ask Mono's table of compiled code
 *
 * The table of the root domain, and of images compiled ahead of time. What other
 * domains compile is theirs, goes when they are unloaded, and counts as native.
 */
#include "locate.h"

#include <mono/jit/jit.h>

#include "bits.h"
#include "host.h"
#include "inmono.h"
#include "method.h"
#include "record.h"

/* Where Mono maps memory for code: other domains', and trampolines. */
#define MONOS_END ((uintptr_t)1 << 31)

/* Those of the native libraries are not. */
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
	MonoJitInfo *info;
	MonoMethod  *mono;	/* NULL: no method's code */
	int          size;
	bool         is_dynamic;
};

static struct place place_of(MonoJitInfo *info)
{
	struct place p = { .info = info };

	if (!info)
		return p;
	p.mono = mono_jit_info_get_method(info);
	p.size = mono_jit_info_get_code_size(info);
	p.is_dynamic = p.mono && cofm_is_dynamic(p.mono);
	return p;
}

/*
 * A DynamicMethod, its record and its code go when nobody refers to it, on Mono's
 * finalizer thread: under the domain's lock, and the record first. In an image nothing
 * goes; and what its look-up does is not to be under that lock.
 */
static struct place find(struct cofm *host, const void *ip)
{
	MonoJitInfo *info = mono_jit_info_table_find(host->domain, (char *)ip);
	struct place p;

	if (!info || cofm_is_in_image(info))
		return place_of(info);
	mono_domain_lock(host->domain);
	p = place_of(mono_jit_info_table_find(host->domain, (char *)ip));
	mono_domain_unlock(host->domain);
	return p;
}

/* Inside cofm_enter(). NULL: no method's code, or not to be ours. */
static struct cofm_method *look_up(struct cofm *host, const void *ip)
{
	struct place p = find(host, ip);
	MonoJitInfo *info = p.info;
	MonoMethod *mono = p.mono;
	int size = p.size;

	/* A sample may come late, and its version be gone for libcof. */
	if (mono && (cofm_record_is_ours(info) || cofm_method_find(host, mono)))
		return NULL;
	/* Dynamic: its code is freed without a word to us. */
	if (!mono || size <= 0 || p.is_dynamic) {
		count_declined(host, ip, mono && size > 0);
		return NULL;
	}
	return cofm_method_new(host, mono, info);
}

int cofm_locate(void *ctx, const void *ip)
{
	struct cofm *host = ctx;
	struct cofm_method *m;

	if (!cofm_enter(host))
		return 0;
	m = look_up(host, ip);
	cofm_leave();
	return m && cofm_method_add(m);
}

/* -- Mode pgo: methods as Mono compiles them ---------------------------------- */

/* `asked` for may be one of the instances that share the body. */
static void compiled(MonoProfiler *ctx, MonoMethod *asked, MonoJitInfo *info)
{
	struct cofm *host = (struct cofm *)ctx;
	MonoMethod *mono = mono_jit_info_get_method(info);
	struct cofm_method *m;

	(void)asked;
	if (!atomic_load_explicit(&host->running, memory_order_acquire) ||
	    mono_domain_get() != host->domain || cofm_is_dynamic(mono) ||
	    cofm_method_find(host, mono))
		return;
	m = cofm_method_new(host, mono, info);
	if (m)
		cofm_method_add(m);
}

void cofm_locate_all(struct cofm *host)
{
	host->takes_all = cof_takes_all(host->cof);
	if (host->takes_all)
		mono_profiler_set_jit_done_callback(host->profiler, compiled);
}
