/*
 * attach.c - begin and end the sampling of a guest thread
 */
#include "sampler/child_start.h"
#include "sampler/sampler_private.h"

#include "cof.h"
#include "threads/poke.h"
#include "threads/threads.h"

#define RING_LG_MAX 20u

static uint64_t ring_words(const struct cof *cof)
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

static void attach(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;

	if (!s)
		return;
	if (!cof_sampler_is_running(s)) {
		cof_child_start_arm(cof, t);
		return;
	}
	/* Only this thread and its handler read it: no order is needed. */
	atomic_store_explicit(&t->live, cof, memory_order_relaxed);
	if (!s->silent && !s->delayed)
		cof_sampler_begin_thread(s, t);
}

void cof_sampler_begin_thread(struct cof_sampler *s, struct cof_thread *t)
{
	t->period_ns = s->period_ns;
	if (cof_ladder_attach(&s->ladder, t, s->period_ns))
		return;
	t->unsampled = true;
	cof_count_add_shared(&s->cof->flow->threads.unsampled, 1);
}

static bool detach(struct cof *cof, struct cof_thread *t)
{
	struct cof_sampler *s = cof->sampler;
	bool running = s && cof_sampler_is_running(s);

	if (t->unsampled)
		cof_count_add_shared(&cof->flow->threads.unsampled,
				     -(uint64_t)1);
	t->unsampled = false;
	/* A source that SAM reads still holds samples; SAM detaches it. */
	if (!running || (t->rung && !t->rung->source->read))
		cof_ladder_detach(t);
	cof_poke_end(t);
	cof_child_start_end(t);
	return running && !s->silent && !s->delayed;
}

const struct cof_threads_hooks cof_sampler_threads_hooks = {
	.ring_words = ring_words,
	.attach = attach,
	.detach = detach,
	.forget = cof_perf_close,
	.forked = cof_child_start_arm,
};
