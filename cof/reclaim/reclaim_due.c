/*
 * reclaim_due.c - when is the next round, and the next search?
 */
#include "reclaim/reclaim.h"

#include "base/clock.h"
#include "base/role.h"
#include "base/units.h"
#include "code/jitinfo.h"
#include "instance.h"
#include "options/tuning.h"
#include "process/barrier.h"
#include "reclaim/reclaim_private.h"

void cof_reclaim_due_search(struct cof *cof, struct cof_reclaim *r,
			    uint32_t found, uint64_t cost_ns)
{
	uint64_t wait_ns = cof->opts.reclaim_ms * COF_MS_NS;

	if (found > 0) {
		r->backoff = 0;
	} else {
		wait_ns <<= r->backoff;
		if (r->backoff < COF_TUNE(reclaim_backoff_most))
			r->backoff++;
	}
	r->afford_ns = cof_clock_ns() + cost_ns * COF_TUNE(reclaim_search_part);
	r->search_ns = cof_clock_ns() + wait_ns;
	if (r->search_ns < r->afford_ns)
		r->search_ns = r->afford_ns;
}

bool cof_reclaim_has_work(struct cof *cof)
{
	const struct cof_flow_reclaim *flow = &cof->flow->reclaim;
	bool disabled = cof_count_get(&flow->disabled) != 0;

	cof_assert_role(COF_ROLE_PICKER);
	if (cof->reclaim->free.n > 0)
		return true;
	if (!disabled && (cof_count_get(&flow->waiting) > 0 ||
			  cof_barrier_failed(cof)))
		return true;
	return cof_jitinfo_is_full(cof->index) && cof_barrier_works(cof);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Threads that sleep in a retired version may do so for days, and what frees
 * records are turns of SAM and PRE, of which an idle program makes few. So the
 * rounds that wait for these come ever more rarely.
 */
static uint64_t next_round(struct cof *cof, const struct cof_reclaim *r)
{
	const struct cof_flow_reclaim *flow = &cof->flow->reclaim;
	uint64_t period_ns = cof->opts.reclaim_ms * COF_MS_NS;
	uint64_t soon = r->ended_ns + period_ns, next = UINT64_MAX;

	if (cof_count_get(&flow->waiting) > r->retired.n + r->quarantine.n ||
	    r->quarantine.n > 0 ||
	    (cof_barrier_failed(cof) && cof_count_get(&flow->disabled) == 0))
		return soon;
	if (r->free.n > 0 || cof_jitinfo_is_full(cof->index))
		next = r->ended_ns + (period_ns << r->kept);
	if (r->retired.n > 0)
		next = least(next, r->search_ns > soon ? r->search_ns : soon);
	return next;
}

uint64_t cof_reclaim_due_ns(struct cof *cof)
{
	uint64_t now = cof_clock_ns(), at;

	if (!cof_reclaim_has_work(cof))
		return UINT64_MAX;
	at = next_round(cof, cof->reclaim);
	return at > now ? at - now : 0;
}

void cof_reclaim_due_after_round(struct cof_reclaim *r, uint32_t records)
{
	if (r->free.n == 0 || r->free.n < records)
		r->kept = 0;
	else if (r->kept < COF_TUNE(reclaim_backoff_most))
		r->kept++;
	r->ended_ns = cof_clock_ns();
}
