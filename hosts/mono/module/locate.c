/*
 * locate.c - SAM asks Mono's table of compiled code
 *
 * For that SAM's thread becomes a "tools thread" of Mono's. Such a thread may
 * use what is lock-free, and Mono's own locks. It has no managed counterpart.
 * Neither a collection nor the end of the program waits for it
 * (mono_threads_attach_tools_thread()).
 */
#include "module/locate.h"

#include <string.h>

#include <mono/jit/jit.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/threads.h>

#include "vm/host.h"

static _Thread_local bool attached;

/* Is it a method made at run time? Mono frees the code of such a method and
 * reports it to nobody. */
static bool is_dynamic(const char *name)
{
	static const char dynamic[] = "(wrapper dynamic-method)";

	return strncmp(name, dynamic, sizeof(dynamic) - 1) == 0;
}

static int add(struct cofm *host, MonoJitInfo *info, const char *name)
{
	struct cof_version_desc desc = {
		.size = sizeof(desc), .plan = COF_PLAN_NONE,
		.start = mono_jit_info_get_code_start(info),
		.size_bytes = (size_t)mono_jit_info_get_code_size(info),
	};
	struct cof_method *method;

	if (cof_method_add(host->cof, name, NULL, &method) != 0)
		return 0;
	return cof_version_add(method, &desc) == 0;
}

int cofm_module_locate(void *ctx, const void *ip)
{
	struct cofm *host = ctx;
	MonoJitInfo *info;
	MonoMethod *mono;
	char *name;
	int added = 0;

	if (!atomic_load_explicit(&host->running, memory_order_acquire))
		return 0;
	if (!attached) {
		attached = true;
		mono_threads_attach_tools_thread();
	}
	info = mono_jit_info_table_find(host->domain, (char *)ip);
	mono = info ? mono_jit_info_get_method(info) : NULL;
	if (!mono)
		return 0;
	name = mono_method_full_name(mono, 1);
	if (name && !is_dynamic(name))
		added = add(host, info, name);
	mono_free(name);
	return added;
}
