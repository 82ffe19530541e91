/*
 * idle_release.c - when a release is due, and what is given back
 */
#include "optimizer/policy/idle_release.h"

#include <pthread.h>
#include <stddef.h>

#include "base/log.h"
#include "instance.h"
#include "memory/mem.h"
#include "options/tuning.h"

uint64_t cof_idle_release_wait(const struct cof_idle_release *r,
			       uint64_t since_ns, uint64_t now_ns)
{
	uint64_t wait_ns = r->idle_ns << r->times;

	if (r->idle_ns == 0 || since_ns == UINT64_MAX ||
	    since_ns == r->released_ns)
		return UINT64_MAX;
	return now_ns - since_ns >= wait_ns ? 0 : since_ns + wait_ns - now_ns;
}

/* A method that is built again is gathered again. No worker looks at any IR,
 * for there is no build. */
static void drop_all(struct cof *cof)
{
	const struct cof_host *host = &cof->host;

	for (struct cof_method *m = cof_methods(cof); m; m = m->code.next) {
		if (!m->build.ir || !host->drop)
			continue;
		host->drop(host->ctx, m->build.ir);
		m->build.ir = NULL;
	}
}

void cof_idle_release_turn(struct cof *cof, struct cof_idle_release *r,
			   uint64_t since_ns, uint64_t now_ns)
{
	const struct cof_host *host = &cof->host;

	if (!host->release_idle ||
	    cof_idle_release_wait(r, since_ns, now_ns) > 0)
		return;
	drop_all(cof);
	host->release_idle(host->ctx);
	r->released_ns = since_ns;
	if (r->times < COF_TUNE(idle_release_times))
		r->times++;
	cof_count_add(&cof->flow->optimizer.idle_releases, 1);
	cof_log(cof, "COF: nothing is built, so P/O dropped all IR, and the "
		"host gave back memory");
}
