/*
 * picker.c - from a forecast to a build
 */
#include "optimizer/picker.h"

#include "instance.h"
#include "mem.h"
#include "patcher/patcher.h"

#define PLAN_TOP (COF_PLAN_COUNT - 1)

/* Of code memory, kept for tier 0: a host that cannot make that is lost. */
#define CODE_RESERVE 8u		/* one part in so many */

void cof_picker_init(struct cof_picker *picker, const struct cof_opts *opts)
{
	*picker = (struct cof_picker){ .random = opts->stress,
				       .load.weight = 1 };
}

void cof_picker_free(struct cof_picker *picker)
{
	cof_ignored_free(&picker->ignored);
}

static struct cof_version *current(const struct cof_method *method)
{
	return atomic_load_explicit(&((struct cof_method *)method)->current,
				    memory_order_acquire);
}

static uint64_t generation(struct cof *cof)
{
	return atomic_load_explicit(&cof->generation, memory_order_relaxed);
}

/* Vigna's splitmix64: any seed is fine, one word of state. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

double cof_picker_past_ns(const struct cof *cof,
			  const struct cof_version *version)
{
	uint64_t period_ns = cof_count_get(&cof->flow->sampler.period_ns);

	if (period_ns == 0)	/* the source has not said yet */
		period_ns = 1000000000u / cof->opts.sample_hz;
	return version->method->past_ns + (double)period_ns *
	       (double)atomic_load_explicit(
			&((struct cof_version *)version)->samples,
			memory_order_relaxed);
}

static bool code_full(const struct cof_flow_patcher *flow)
{
	uint64_t used = cof_count_get(&flow->code_first) +
			cof_count_get(&flow->code_hot);
	uint64_t all = cof_count_get(&flow->code_reserved);

	return used > all - all / CODE_RESERVE;
}

void cof_picker_mark(struct cof *cof, struct cof_picker *picker,
		     struct cof_method *method, enum cof_ignore reason)
{
	struct cof_version *v = current(method);

	cof_assert_role(COF_ROLE_PICKER);
	if (cof->opts.stress)
		return;
	cof_ignore_mark(method, reason, generation(cof),
			cof->opts.ignore_generations);
	/* Not in the list, nobody would clear the flag again. */
	if (cof_ignored_add(&picker->ignored, method) == 0 && v)
		cof_word_flags(&v->word, COF_WORD_SETTLED, 0);
	cof_count_set(&cof->flow->optimizer.ignored, picker->ignored.n);
}

void cof_picker_expire(struct cof *cof, struct cof_picker *picker)
{
	struct cof_method *method;

	cof_assert_role(COF_ROLE_PICKER);
	while ((method = cof_ignored_expire(&picker->ignored,
					    generation(cof)))) {
		struct cof_version *v = current(method);

		if (v && v->plan < PLAN_TOP && !method->building)
			cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
	}
	cof_count_set(&cof->flow->optimizer.ignored, picker->ignored.n);
}

struct cof_version *cof_picker_ended(struct cof_picker *picker,
				     const struct cof_build *build)
{
	struct cof_version *v = current(build->method);

	(void)picker;
	build->method->building = false;
	if (!v || v->number != build->over)
		return NULL;
	cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
	return v;
}

/* Ask the host about every plan above the current one. */
static enum cof_verdict ask(struct cof *cof, const struct cof_picker *picker,
			    const struct cof_version *v, struct cof_choice *out)
{
	struct cof_estimate offer[COF_PLAN_COUNT] = { { 0 } };
	const struct cof_host *host = &cof->host;

	for (int p = v->plan + 1; p < COF_PLAN_COUNT && host->estimate; p++)
		if (host->estimate(host->ctx, v->method->data, v->plan,
				   (enum cof_plan)p, &offer[p]) != 0)
			offer[p].speedup = 0;
	return cof_choose(offer, v->plan, cof_picker_past_ns(cof, v),
			  cof->opts.gain_pct, picker->load.weight,
			  &picker->rates, out);
}

static struct cof_build *drop(cof_count *reason)
{
	cof_count_add(reason, 1);
	return NULL;
}

static struct cof_build *pick(struct cof *cof, struct cof_picker *picker,
			      struct cof_version *v, const struct cof_choice *c)
{
	struct cof_build *b = cof_alloc(sizeof(*b));

	if (!b)
		return drop(&cof->flow->optimizer.drop_NO_MEMORY);
	b->method = v->method;
	b->over = v->number;
	b->plan = c->plan;
	b->speedup = c->speedup;
	b->urgency = c->urgency;
	b->estimated_ns = c->estimated_ns;
	v->method->building = true;
	v->method->builds++;
	picker->picked++;
	if (!cof->opts.stress)
		cof_word_flags(&v->word, COF_WORD_SETTLED, 0);
	return b;
}

struct cof_build *cof_picker_look(struct cof *cof, struct cof_picker *picker,
				  const struct cof_forecast *f)
{
	struct cof_flow_optimizer *flow = &cof->flow->optimizer;
	struct cof_version *v = f->version;
	struct cof_method *method = v->method;
	struct cof_choice choice = { .speedup = 1 };

	cof_assert_role(COF_ROLE_PICKER);
	cof_count_add(&flow->taken, 1);
	cof_log(cof, "COF: P/O  %4u   (%u, %u) %s", f->slot, f->weight,
		f->climbed, method->name);

	if (current(method) != v ||
	    cof_word_read(&v->word).flags & COF_WORD_DEAD)
		return drop(&flow->drop_STALE);
	if (method->building)
		return drop(&flow->drop_BUSY);
	if (cof->opts.build_pct == 0)
		return drop(&flow->drop_NO_BUDGET);
	if (picker->picked >= cof->opts.limit)
		return drop(&flow->drop_LIMIT);
	if (!cof_patcher_can_sync(cof))
		return drop(&flow->drop_NO_BARRIER);
	if (code_full(&cof->flow->patcher))
		return drop(&flow->drop_CODE_FULL);

	if (cof->opts.stress) {
		choice.plan = (enum cof_plan)
			(1 + random_next(&picker->random) % PLAN_TOP);
		return pick(cof, picker, v, &choice);
	}
	if (cof_ignore_active(method, generation(cof)))
		return drop(&flow->drop_IGNORED);

	switch (ask(cof, picker, v, &choice)) {
	case COF_VERDICT_NO_ESTIMATE:
		cof_picker_mark(cof, picker, method, COF_IGNORE_NO_ESTIMATE);
		return drop(&flow->drop_NO_ESTIMATE);
	case COF_VERDICT_NOT_WORTH:
		cof_picker_mark(cof, picker, method, COF_IGNORE_NOT_WORTH);
		return drop(&flow->drop_NOT_WORTH);
	case COF_VERDICT_BUILD:
		break;
	}
	cof_log(cof, "COF: P/O Candidate; Slot  %u",
		f->slot + 10 * (uint32_t)f->list);
	return pick(cof, picker, v, &choice);
}
