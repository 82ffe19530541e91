/*
 * guests.c - guest threads come, go and are poked; see sampler.h
 */
#include "sam.h"

#include <time.h>

#include "cof.h"
#include "threads.h"
#include "timer.h"

#define RING_LG_MAX 20u

void cof_sam_end_poke(struct cof_thread *t)
{
	if (t->has_poke)
		timer_delete(t->poke);
	t->has_poke = false;
}

uint64_t cof_sampler_ring_words(const struct cof *cof)
{
	const struct cof_opts *o = &cof->opts;
	uint64_t need = o->sample_hz * 6ull / 10 * (2 + o->stack_depth);
	uint32_t lg = o->ring_lg;

	if (!cof->sampler || cof->sampler->silent)
		return 2;	/* never used */
	while (lg < RING_LG_MAX && (1ull << lg) < need)
		lg++;
	return 1ull << lg;
}

void cof_sampler_attach(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;

	if (!s || !cof_sam_is_running(s))
		return;
	/* Only this thread and its handler look: no order is needed. */
	atomic_store_explicit(&t->live, cof, memory_order_relaxed);
	if (!s->silent && !s->held)
		cof_sam_begin(s, t);
}

void cof_sam_begin(struct cof_sampler *s, struct cof_thread *t)
{
	if (cof_ladder_attach(&s->ladder, t, s->period_ns))
		return;
	t->unsampled = true;
	cof_count_add_shared(&s->cof->flow->threads.unsampled, 1);
}

bool cof_sampler_detach(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;
	bool running = s && cof_sam_is_running(s);

	if (t->unsampled)
		cof_count_add_shared(&cof->flow->threads.unsampled,
				     -(uint64_t)1);
	t->unsampled = false;
	/* A source that SAM reads still holds samples; SAM ends it. */
	if (!running || (t->rung && !t->rung->source->read))
		cof_ladder_detach(t);
	cof_sam_end_poke(t);
	return running && !s->silent && !s->held;
}

int cof_sampler_poke(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;

	if (!s || !s->signalled || !cof_sam_is_running(s))
		return -COF_E_PERM;
	if (!t->has_poke &&
	    cof_timer_make((int)cof->opts.signal, t->tid, COF_COOKIE_POKE,
			   &t->poke) != 0)
		return -COF_E_PERM;
	t->has_poke = true;
	cof_timer_arm(t->poke, 1, 0);
	return 0;
}
