/*
 * phase_tracker.c - feed the phase table, report its results; see
 * phase_tracker.h
 */
#include "predictor/phase_tracker.h"

#include "base/log.h"
#include "base/role.h"
#include "instance.h"
#include "options/tuning.h"
#include "predictor/generation.h"
#include "stats/stats_file.h"

static const char *heaviest(const struct cof_generation *gen)
{
	return gen->heavy.n > 0 ? gen->heavy.at[0].version->method->name :
				  NULL;
}

static void open_row(struct cof *cof, struct cof_phase_tracker *tracker,
		     const struct cof_generation *gen, uint32_t similarity)
{
	cof_stats_file_phase(cof->stats_file, gen->generation, similarity,
			     heaviest(gen));
	tracker->open = true;
	tracker->opened = gen->generation;
}

static void feed(struct cof *cof, struct cof_phase_tracker *tracker,
		 const struct cof_generation *gen)
{
	struct cof_phase_signature_sample s[COF_RANK_MAX];

	for (uint32_t i = 0; i < gen->most.n; i++) {
		const struct cof_ranked *r = &gen->most.at[i];

		s[i].method = r->version->method;
		s[i].number = r->version->number;
		s[i].calls = r->calls;
		s[i].pace = (float)cof_version_pace(r->version);
		s[i].inlined = r->version->links.inlined;
		s[i].n_inlined = r->version->links.n_inlined;
		cof_code_buckets_take(&r->version->sampled.buckets,
				      (uint32_t)gen->generation,
				      s[i].bucket);
	}
	cof_phase_step(&tracker->table, s, gen->most.n,
		       gen->samples < UINT32_MAX ? (uint32_t)gen->samples :
						   UINT32_MAX,
		       cof->opts.phase_permille);
}

static void count(struct cof *cof, const struct cof_phase_table *p)
{
	struct cof_flow_phase *flow = &cof->flow->phase;

	cof_count_add(&flow->begun, p->began);
	cof_count_add(&flow->new, p->began && !p->back);
	cof_count_add(&flow->returned, p->began && p->back);
	cof_count_add(&flow->ended, p->ended);
	cof_count_add(&flow->forgotten, p->forgot);
	cof_count_add(&flow->windows, p->window_ended);
	cof_count_add(&flow->noise, p->noise);
	cof_count_set(&flow->now, cof_phase_now(p));
	if (p->began)
		cof_count_set(&flow->known, cof_phase_known(p));
	if (p->window_ended && p->similarity > 0)
		cof_count_set(&flow->similarity, p->similarity);
}

static void tell(struct cof *cof, struct cof_phase_tracker *tracker,
		 const struct cof_generation *gen)
{
	const struct cof_phase_table *p = &tracker->table;
	unsigned long long generation = gen->generation;

	if (p->ended) {
		/* A recent row for the top ten is of this same change: the
		 * top ten looks as far back. */
		if (!tracker->open || gen->generation - tracker->opened >
				      COF_TUNE(similarity_before))
			open_row(cof, tracker, gen, p->similarity);
		cof_log(cof, "COF: PRE sees in generation %llu that the phase "
			"changes: similarity %u", generation, p->similarity);
	}
	if (p->began) {
		if (!tracker->open)
			open_row(cof, tracker, gen, gen->similarity);
		cof_stats_file_phase_known(cof->stats_file, cof_phase_now(p),
					   p->back, heaviest(gen));
		tracker->open = false;
		cof_log(cof, "COF: PRE sees in generation %llu that phase %u "
			"%s", generation, cof_phase_now(p),
			p->back ? "returned" : "is new");
	}
}

void cof_phase_tracker_step(struct cof *cof, struct cof_phase_tracker *tracker,
			    const struct cof_generation *gen)
{
	const struct cof_phase_table *p = &tracker->table;

	cof_assert_role(COF_ROLE_PREDICTOR);
	if (gen->phase)
		open_row(cof, tracker, gen, gen->similarity);
	if (gen->samples == 0)
		return;
	feed(cof, tracker, gen);
	count(cof, p);
	tell(cof, tracker, gen);
	if (!p->ended && !p->began)
		return;
	atomic_store_explicit(&cof->phase, cof_phase_pack(p),
			      memory_order_relaxed);
	if (cof->optimizer)
		cof_stage_wake(cof->wake.optimizer);
}
