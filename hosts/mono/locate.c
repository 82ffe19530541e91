/*
 * locate.c - ask Mono's table of compiled code
 *
 * The table of the root domain, and of images compiled ahead of time. What other
 * domains compile is theirs, goes when they are unloaded, and counts as native.
 */
#include "locate.h"

#include <stdlib.h>

#include <mono/jit/jit.h>
#include <mono/metadata/debug-helpers.h>

#include "bits.h"
#include "calls.h"
#include "host.h"
#include "inmono.h"
#include "internals.h"
#include "method.h"
#include "record.h"
#include "shared.h"

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

/* Inside cofm_enter(). NULL: no method's code, or not to be ours. */
static struct cofm_method *look_up(struct cofm *host, const void *ip,
				   char **name)
{
	MonoJitInfo *info = mono_jit_info_table_find(host->domain, (char *)ip);
	MonoMethod *mono = info ? mono_jit_info_get_method(info) : NULL;
	int size = info ? mono_jit_info_get_code_size(info) : 0;
	struct cofm_method *m;

	/* A sample may come late, and its version be gone for libcof. */
	if (mono && (cofm_record_is_ours(info) || cofm_method_find(host, mono)))
		return NULL;
	/* Dynamic: its code is freed without a word to us. */
	if (!mono || size <= 0 || cofm_is_dynamic(mono)) {
		count_declined(host, ip, mono && size > 0);
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->host = host;
	m->mono = mono;
	m->start = mono_jit_info_get_code_start(info);
	m->size = (uint32_t)size;
	m->from_image = *((uint8_t *)info + COFM_JIT_INFO_KIND) &
			COFM_JIT_INFO_IMAGE;
	if (cofm_is_wrapper(mono))
		atomic_init(&m->declined, COFM_WRAPPER);
	else if ((m->instance = cofm_shared_instance(mono)) == NULL)
		atomic_init(&m->declined, COFM_SHARED);
	else
		cofm_calls_read(m);
	*name = mono_method_full_name(mono, 1);
	return m;
}

int cofm_locate(void *ctx, const void *ip)
{
	struct cofm *host = ctx;
	struct cofm_method *m;
	char *name = NULL;
	bool added;

	if (!cofm_enter(host))
		return 0;
	m = look_up(host, ip, &name);
	cofm_leave();
	if (!m)
		return 0;
	added = cofm_method_add(m, name);
	if (!added) {
		free(m->call);
		free(m);
	}
	mono_free(name);
	return added;
}
