/*
 * inlining.c - choose hot callees, and their hot callees
 */
#include "compile/inlining.h"

#include "vm/method_flags.h"
#include "compile/entries.h"
#include "method/method.h"
#include "vm/tuning.h"

#define AGGRESSIVE   0x100u	/* MethodImplOptions.AggressiveInlining */

struct choice {
	const struct cofm_method *of;
	struct cofm_inlining     *in;
	uint64_t                  least;	/* samples */
	uint32_t                  bytes;
};

bool cofm_inlining_has(const struct cofm_inlining *in,
		       const MonoMethod *callee)
{
	for (uint32_t i = 0; i < in->n; i++)
		if (in->callee[i] == callee)
			return true;
	return false;
}

static bool is_hot(const struct choice *c, const struct cofm_method *callee,
		   uint64_t samples)
{
	return samples >= c->least ||
	       cofm_entries_per_second(callee) >= COFM_TUNE(inline_hot_entries);
}

static void choose(struct choice *c, const struct cofm_method *m,
		   uint32_t depth)
{
	for (uint32_t i = 0; i < m->n_calls; i++) {
		const struct cofm_call *call = &m->call[i];
		struct cofm_method *callee =
			cofm_method_find(m->host, m->domain, call->callee);
		uint64_t samples = callee ?
				   cof_method_samples(callee->method) : 0;

		if (!callee || callee == c->of || !is_hot(c, callee, samples) ||
		    c->in->n == COFM_INLINED_MAX ||
		    c->bytes + call->size > COFM_TUNE(inline_all_bytes) ||
		    call->size * call->sites > COFM_TUNE(inline_copies_bytes) ||
		    cofm_inlining_has(c->in, callee->mono))
			continue;
		c->in->callee[c->in->n++] = callee->mono;
		c->in->samples += samples;
		c->bytes += call->size;
		if (depth < COFM_TUNE(inline_depth))
			choose(c, callee, depth + 1);
	}
}

void cofm_inlining_choose(const struct cofm_method *m,
			  struct cofm_inlining *out)
{
	struct choice c = { .of = m, .in = out };

	out->n = 0;
	out->samples = 0;
	out->own = cof_method_samples(m->method);
	c.least = out->own * COFM_TUNE(inline_hot_pct) / 100 + 1;
	if (!m->host->keeps_frames)
		choose(&c, m, 1);
}

uint64_t cofm_inlining_new(const struct cofm_method *m,
			   const struct cofm_inlining *in,
			   const struct cofm_inlining *old)
{
	uint64_t samples = 0;

	for (uint32_t i = 0; i < in->n; i++) {
		struct cofm_method *callee =
			cofm_method_find(m->host, m->domain, in->callee[i]);

		if (callee && !cofm_inlining_has(old, in->callee[i]))
			samples += cof_method_samples(callee->method);
	}
	return samples;
}

/* Also make Mono forget whether it can inline the method: that was decided
 * without the mark, or with it. */
static void mark(MonoMethod *m, bool on)
{
	if (on)
		__atomic_fetch_or(cofm_method_flags_impl(m), AGGRESSIVE,
				  __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(cofm_method_flags_impl(m),
				   (uint16_t)~AGGRESSIVE, __ATOMIC_SEQ_CST);
	cofm_method_flags_clear(m, COFM_BIT_INLINE_INFO | COFM_BIT_INLINE_FAIL);
}

uint32_t cofm_inlining_begin(const struct cofm_inlining *in)
{
	uint32_t marked = 0;

	for (uint32_t i = 0; i < in->n; i++)
		if (!(__atomic_load_n(cofm_method_flags_impl(in->callee[i]),
				      __ATOMIC_RELAXED) & AGGRESSIVE)) {
			mark(in->callee[i], true);
			marked |= UINT32_C(1) << i;
		}
	return marked;
}

void cofm_inlining_end(const struct cofm_inlining *in, uint32_t marked)
{
	for (uint32_t i = 0; i < in->n; i++)
		if (marked & UINT32_C(1) << i)
			mark(in->callee[i], false);
}
