/*
 * generation.c - see generation.h
 */
#include "predictor/generation.h"

#include "options/tuning.h"
#include "predictor/similarity.h"
#include "code/version.h"
#include "predictor/weight.h"

#define AHEAD 16u	/* versions whose word is fetched ahead of its fold */

void cof_generation_init(struct cof_generation *turn)
{
	*turn = (struct cof_generation){ .list = COF_LIST_CLIMB };
}

void cof_generation_free(struct cof_generation *turn)
{
	cof_hitlist_free(&turn->hits);
}

static void offer_lasting(struct cof_generation *turn, struct cof_ranked r)
{
	uint64_t ever = atomic_load_explicit(&r.version->sampled.total,
					     memory_order_relaxed);

	if (r.settled || ever < COF_TUNE(forecast_lasting_samples))
		return;
	r.key = ever < UINT32_MAX ? (uint32_t)ever : UINT32_MAX;
	cof_rank_offer(&turn->lasting, &r);
}

/* Fold one version and rank it. False: dead. */
static bool fold(struct cof_generation *turn, struct cof_version *version,
		 const struct cof_opts *opts, bool may_join,
		 struct cof_fold *f)
{
	struct cof_ranked r;

	if (!cof_weight_fold(&version->word, turn->generation, opts->hit_weight,
			     may_join, f))
		return false;
	turn->weighed++;
	turn->samples += f->calls;

	r = (struct cof_ranked){
		.version = version, .weight = (uint16_t)f->weight,
		.calls = (uint16_t)f->calls,
		.climbed = (uint8_t)f->climbed, .settled = f->settled,
	};
	if (f->is_hit) {
		r.key = f->weight;
		cof_rank_offer(&turn->heavy, &r);
		if (!f->settled)
			cof_rank_offer(&turn->heavy_open, &r);
	}
	if (f->climbed) {
		r.key = f->climbed << 16 | f->weight;
		cof_rank_offer(&turn->climb, &r);
		if (!f->settled)
			cof_rank_offer(&turn->climb_open, &r);
	}
	offer_lasting(turn, r);
	if (f->calls) {
		r.key = f->calls;
		cof_rank_offer(&turn->most, &r);
	}
	return true;
}

void cof_generation_begin(struct cof_generation *turn, uint64_t generation,
		    const struct cof_opts *opts)
{
	struct cof_hitlist *hits = &turn->hits;
	struct cof_fold f;

	turn->generation = generation;
	cof_rank_init(&turn->heavy, COF_RANK_MAX);
	cof_rank_init(&turn->climb, COF_TOP);
	cof_rank_init(&turn->heavy_open, COF_TOP);
	cof_rank_init(&turn->climb_open, COF_TOP);
	cof_rank_init(&turn->lasting, COF_TOP);
	cof_rank_init(&turn->most, COF_RANK_MAX);
	turn->n_forecasts = 0;
	turn->samples = turn->weighed = 0;
	turn->judged = turn->dead = turn->settled = turn->not_chosen = 0;
	turn->similarity = 0;
	turn->compared = turn->phase = false;

	/* Backwards, so that removing one does not skip another. */
	for (uint32_t i = hits->n; i-- > 0;) {
		if (i >= AHEAD)
			__builtin_prefetch(&hits->at[i - AHEAD]->word, 1);
		if (!fold(turn, hits->at[i], opts, true, &f) || !f.is_hit)
			cof_hitlist_remove(hits, i);
	}
}

void cof_generation_touch(struct cof_generation *turn, struct cof_version *const *touched,
		    uint32_t n, const struct cof_opts *opts)
{
	struct cof_fold f;

	for (uint32_t i = 0; i < n; i++) {
		struct cof_word w = cof_word_read(&touched[i]->word);

		if (i + AHEAD < n)
			__builtin_prefetch(&touched[i + AHEAD]->word, 1);
		/*
		 * Folded already, as a member or because it came twice. Samples
		 * of a member that came in since are for the next generation.
		 */
		if ((w.flags & COF_WORD_HIT) || w.calls == 0)
			continue;
		if (fold(turn, touched[i], opts,
			 cof_hitlist_reserve(&turn->hits), &f) && f.is_hit)
			cof_hitlist_add(&turn->hits, touched[i]);
	}
}

/* Compare, choose the list, and remember. */
static void compare(struct cof_generation *turn, const struct cof_opts *opts)
{
	struct cof_top top;
	bool change = true;

	if (turn->climb.n > 0) {
		cof_top_lists_make(&top, &turn->climb, turn->generation);
		cof_top_lists_push(&turn->climb_past, &top);
	}
	if (turn->heavy.n == 0)
		return;
	cof_top_lists_make(&top, &turn->heavy, turn->generation);
	if (turn->heavy_past.pushed > 0) {
		turn->compared = true;
		turn->similarity = cof_similarity(&top, &turn->heavy_past);
		change = turn->similarity < opts->similar_permille;
	}
	turn->phase = change &&
		      (turn->list == COF_LIST_HEAVY || !turn->compared);
	turn->list = change ? COF_LIST_CLIMB : COF_LIST_HEAVY;
	cof_top_lists_push(&turn->heavy_past, &top);
}

static uint16_t flags_now(const struct cof_ranked *r)
{
	return cof_word_read(&r->version->word).flags;
}

static void judge_open(struct cof_generation *turn, enum cof_list list,
		       uint32_t slot, const struct cof_ranked *r, bool chosen)
{
	uint16_t flags = flags_now(r);

	turn->judged++;
	if (flags & COF_WORD_DEAD)
		turn->dead++;
	else if (flags & COF_WORD_SETTLED)
		turn->settled++;
	else if (!chosen)
		turn->not_chosen++;
	else
		turn->forecast[turn->n_forecasts++] = (struct cof_forecast){
			.version = r->version, .list = list, .slot = slot,
			.weight = r->weight, .climbed = r->climbed,
			.generation = turn->generation,
		};
}

static void judge(struct cof_generation *turn, enum cof_list list,
		  const struct cof_rank *all, const struct cof_rank *open)
{
	/* Those that were not settled when folded are in `open` as well. */
	for (uint32_t i = 0; i < all->n && i < COF_TOP; i++) {
		if (!all->at[i].settled)
			continue;
		turn->judged++;
		if (flags_now(&all->at[i]) & COF_WORD_DEAD)
			turn->dead++;
		else
			turn->settled++;
	}

	for (uint32_t i = 0; i < open->n; i++)
		judge_open(turn, list, i, &open->at[i], list == turn->list);
}

static bool is_in(const struct cof_rank *rank, const struct cof_version *v)
{
	for (uint32_t i = 0; i < rank->n; i++)
		if (rank->at[i].version == v)
			return true;
	return false;
}

static void judge_lasting(struct cof_generation *turn)
{
	const struct cof_rank *chosen = turn->list == COF_LIST_HEAVY ?
					&turn->heavy_open : &turn->climb_open;

	for (uint32_t i = 0; i < turn->lasting.n; i++)
		if (!is_in(chosen, turn->lasting.at[i].version))
			judge_open(turn, COF_LIST_LASTING, i,
				   &turn->lasting.at[i], true);
}

void cof_generation_end(struct cof_generation *turn, const struct cof_opts *opts)
{
	if (turn->samples == 0)
		return;
	compare(turn, opts);
	judge(turn, COF_LIST_HEAVY, &turn->heavy, &turn->heavy_open);
	judge(turn, COF_LIST_CLIMB, &turn->climb, &turn->climb_open);
	judge_lasting(turn);
}
