/*
 * generation.c - fold, rank, compare, pick; see generation.h
 */
#include "predictor/generation.h"

#include "code/version.h"
#include "options/tuning.h"
#include "predictor/similarity.h"
#include "predictor/weight.h"

#define AHEAD 16u	/* versions whose word is prefetched */

void cof_generation_init(struct cof_generation *gen)
{
	*gen = (struct cof_generation){ .list = COF_LIST_CLIMB };
}

void cof_generation_free(struct cof_generation *gen)
{
	cof_hitlist_free(&gen->hits);
}

static void offer_lasting(struct cof_generation *gen, struct cof_ranked r)
{
	uint64_t ever = atomic_load_explicit(&r.version->sampled.total,
					     memory_order_relaxed);

	if (r.settled || ever < COF_TUNE(forecast_lasting_samples))
		return;
	r.key = ever < UINT32_MAX ? (uint32_t)ever : UINT32_MAX;
	cof_rank_offer(&gen->lasting, &r);
}

/* Fold one version and rank it. False: dead. */
static bool fold(struct cof_generation *gen, struct cof_version *version,
		 const struct cof_opts *opts, bool may_join,
		 struct cof_fold *f)
{
	struct cof_ranked r;

	if (!cof_weight_fold(&version->word, gen->generation, opts->hit_weight,
			     may_join, f))
		return false;
	gen->weighed++;
	gen->samples += f->calls;

	r = (struct cof_ranked){
		.version = version, .weight = (uint16_t)f->weight,
		.calls = (uint16_t)f->calls,
		.climbed = (uint8_t)f->climbed, .settled = f->settled,
	};
	if (f->is_hit) {
		r.key = f->weight;
		cof_rank_offer(&gen->heavy, &r);
		if (!f->settled)
			cof_rank_offer(&gen->heavy_open, &r);
	}
	if (f->climbed) {
		r.key = f->climbed << 16 | f->weight;
		cof_rank_offer(&gen->climb, &r);
		if (!f->settled)
			cof_rank_offer(&gen->climb_open, &r);
	}
	offer_lasting(gen, r);
	if (f->calls) {
		r.key = f->calls;
		cof_rank_offer(&gen->most, &r);
	}
	return true;
}

void cof_generation_begin(struct cof_generation *gen, uint64_t generation,
			  const struct cof_opts *opts)
{
	struct cof_hitlist *hits = &gen->hits;
	struct cof_fold f;

	gen->generation = generation;
	cof_rank_init(&gen->heavy, COF_RANK_MAX);
	cof_rank_init(&gen->climb, COF_TOP);
	cof_rank_init(&gen->heavy_open, COF_TOP);
	cof_rank_init(&gen->climb_open, COF_TOP);
	cof_rank_init(&gen->lasting, COF_TOP);
	cof_rank_init(&gen->most, COF_RANK_MAX);
	gen->n_forecasts = 0;
	gen->samples = gen->weighed = 0;
	gen->candidates = gen->dead = gen->settled = gen->not_chosen = 0;
	gen->similarity = 0;
	gen->compared = gen->phase = false;

	/* Backwards, so that removing a version does not skip another. */
	for (uint32_t i = hits->n; i-- > 0;) {
		if (i >= AHEAD)
			__builtin_prefetch(&hits->at[i - AHEAD]->word, 1);
		if (!fold(gen, hits->at[i], opts, true, &f) || !f.is_hit)
			cof_hitlist_remove(hits, i);
	}
}

void cof_generation_touch(struct cof_generation *gen,
			  struct cof_version *const *touched, uint32_t n,
			  const struct cof_opts *opts)
{
	struct cof_fold f;

	for (uint32_t i = 0; i < n; i++) {
		struct cof_word w = cof_word_read(&touched[i]->word);

		if (i + AHEAD < n)
			__builtin_prefetch(&touched[i + AHEAD]->word, 1);
		/*
		 * Folded already, as a member or because it came twice. Later
		 * samples of a member belong to the next generation.
		 */
		if ((w.flags & COF_WORD_HIT) || w.calls == 0)
			continue;
		if (fold(gen, touched[i], opts,
			 cof_hitlist_reserve(&gen->hits), &f) && f.is_hit)
			cof_hitlist_add(&gen->hits, touched[i]);
	}
}

/* Compare with the past, choose the list, add the top lists. */
static void compare(struct cof_generation *gen, const struct cof_opts *opts)
{
	struct cof_top top;
	bool change = true;

	if (gen->climb.n > 0) {
		cof_top_lists_make(&top, &gen->climb, gen->generation);
		cof_top_lists_push(&gen->climb_past, &top);
	}
	if (gen->heavy.n == 0)
		return;
	cof_top_lists_make(&top, &gen->heavy, gen->generation);
	if (gen->heavy_past.pushed > 0) {
		gen->compared = true;
		gen->similarity = cof_similarity(&top, &gen->heavy_past);
		change = gen->similarity < opts->similar_permille;
	}
	gen->phase = change &&
		      (gen->list == COF_LIST_HEAVY || !gen->compared);
	gen->list = change ? COF_LIST_CLIMB : COF_LIST_HEAVY;
	cof_top_lists_push(&gen->heavy_past, &top);
}

static uint16_t flags_now(const struct cof_ranked *r)
{
	return cof_word_read(&r->version->word).flags;
}

static void add_candidate(struct cof_generation *gen, enum cof_list list,
			  uint32_t slot, const struct cof_ranked *r,
			  bool chosen)
{
	uint16_t flags = flags_now(r);

	gen->candidates++;
	if (flags & COF_WORD_DEAD)
		gen->dead++;
	else if (flags & COF_WORD_SETTLED)
		gen->settled++;
	else if (!chosen)
		gen->not_chosen++;
	else
		gen->forecast[gen->n_forecasts++] = (struct cof_forecast){
			.version = r->version, .list = list, .slot = slot,
			.weight = r->weight, .climbed = r->climbed,
			.generation = gen->generation,
		};
}

static void add_candidates(struct cof_generation *gen, enum cof_list list,
			   const struct cof_rank *all,
			   const struct cof_rank *open)
{
	/* Versions that were not settled when folded are in `open` as well. */
	for (uint32_t i = 0; i < all->n && i < COF_TOP; i++) {
		if (!all->at[i].settled)
			continue;
		gen->candidates++;
		if (flags_now(&all->at[i]) & COF_WORD_DEAD)
			gen->dead++;
		else
			gen->settled++;
	}

	for (uint32_t i = 0; i < open->n; i++)
		add_candidate(gen, list, i, &open->at[i], list == gen->list);
}

static bool is_in(const struct cof_rank *rank, const struct cof_version *v)
{
	for (uint32_t i = 0; i < rank->n; i++)
		if (rank->at[i].version == v)
			return true;
	return false;
}

static void add_lasting(struct cof_generation *gen)
{
	const struct cof_rank *chosen = gen->list == COF_LIST_HEAVY ?
					&gen->heavy_open : &gen->climb_open;

	for (uint32_t i = 0; i < gen->lasting.n; i++)
		if (!is_in(chosen, gen->lasting.at[i].version))
			add_candidate(gen, COF_LIST_LASTING, i,
				      &gen->lasting.at[i], true);
}

void cof_generation_end(struct cof_generation *gen,
			const struct cof_opts *opts)
{
	if (gen->samples == 0)
		return;
	compare(gen, opts);
	add_candidates(gen, COF_LIST_HEAVY, &gen->heavy, &gen->heavy_open);
	add_candidates(gen, COF_LIST_CLIMB, &gen->climb, &gen->climb_open);
	add_lasting(gen);
}
