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
#include "method.h"

/* Inside cofm_enter(). NULL: no method's code, or not to be ours. */
static struct cofm_method *look_up(struct cofm *host, const void *ip,
				   char **name)
{
	MonoJitInfo *info = mono_jit_info_table_find(host->domain, (char *)ip);
	MonoMethod *mono = info ? mono_jit_info_get_method(info) : NULL;
	int size = info ? mono_jit_info_get_code_size(info) : 0;
	struct cofm_method *m;

	/* Dynamic: its code is freed without a word to us. */
	if (!mono || size <= 0 || cofm_is_dynamic(mono))
		return NULL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->host = host;
	m->mono = mono;
	m->start = mono_jit_info_get_code_start(info);
	m->size = (uint32_t)size;
	if (cofm_is_wrapper(mono))
		atomic_init(&m->declined, COFM_WRAPPER);
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
