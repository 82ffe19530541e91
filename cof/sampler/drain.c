/*
 * drain.c - empty a thread's ring and its source; see drain.h
 */
#include "sampler/drain.h"

#include "base/clock.h"
#include "base/role.h"
#include "instance.h"
#include "sampler/cost.h"
#include "sampler/credit.h"
#include "sampler/sources/ladder.h"
#include "threads/threads.h"

void cof_drain_sink(void *arg, const uint64_t *w, uint64_t n)
{
	struct cof *cof = arg;

	cof_count_add(&cof->flow->sampler.stack_frames, n - 1);
	cof_credit(cof, (uintptr_t)w[0]);
}

/* What the handler added to its counter since the last call. */
static uint64_t added(_Atomic uint64_t *count, uint64_t *seen)
{
	uint64_t now = cof_count_get(count), new = now - *seen;

	*seen = now;
	return new;
}

static uint64_t seen(struct cof *cof)
{
	return cof_count_get(&cof->flow->sampler.taken) + cof->unknown.n;
}

uint64_t cof_drain_thread(struct cof *cof, struct cof_thread *t,
			  struct cof_cost *cost)
{
	struct cof_flow_sampler *flow = &cof->flow->sampler;
	uint64_t before = seen(cof), pc, n, full, lost = 0;

	cof_assert_role(COF_ROLE_SAMPLER);
	while (cof_ring_pop(&t->ring, &pc, 1) > 0)
		cof_credit(cof, (uintptr_t)pc);
	if (t->rung && t->rung->source->read)
		lost = t->rung->source->read(t->rung->own, t, cof_drain_sink,
					     cof);
	n = seen(cof) - before;
	full = added(&t->ring_full, &t->seen_full);
	cof_count_add(&flow->taken, full + lost);
	cof_count_add(&flow->drop_RING_FULL, full);
	cof_count_add(&flow->drop_KERNEL_LOST, lost);
	cof_count_add(&flow->stack_frames, added(&t->frames, &t->seen_frames));
	cost->handler_tsc += added(&t->handler_tsc, &t->seen_tsc);
	if (t->rung)
		cost->delivery_ns +=
			cof_source_delivery_ns(t->rung->source) * (n + full);
	return n;
}

uint64_t cof_drain_cpu(struct cof_thread *t)
{
	uint64_t now = t->gone ? t->cpu_ns :
		       cof_clock_read(cof_clock_of_thread(t->tid)), new;

	/* 0: the thread ended without detaching. */
	if (now <= t->seen_cpu_ns)
		return 0;
	new = now - t->seen_cpu_ns;
	t->seen_cpu_ns = now;
	return new;
}
