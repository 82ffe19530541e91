/*
 * unload.c - Mono's event of a domain that is about to be freed
 *
 * The domain's threads are gone by then. Of libcof's, those that hold the
 * domains are waited for. A version of a method that was built and is not
 * installed yet is dropped as if the host had replaced the code.
 */
#include "compile/unload.h"

#include "compile/body.h"
#include "compile/lines.h"
#include "method/method.h"
#include "vm/host.h"

static void unloading(MonoProfiler *ctx, MonoDomain *mono)
{
	struct cofm *host = (struct cofm *)ctx;
	struct cofm_domain *domain;

	domain = cofm_domains_unload_begin(mono);
	if (!domain)
		return;
	/* Where nothing is built, as when Mono ends, there is nothing of the
	 * domain. It goes from the list all the same. */
	if (atomic_load_explicit(&host->running, memory_order_acquire)) {
		cofm_method_unload(host, domain);
		cofm_body_unload(domain);
		cofm_lines_unload(domain);
	}
	cofm_domains_unload_end(domain);
}

void cofm_unload_follow(struct cofm *host)
{
	mono_profiler_set_domain_unloading_callback(host->profiler, unloading);
}
