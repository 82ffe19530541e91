/*
 * generation.h - one generation, from touched versions to forecasts
 *
 *	begin   hit list ---fold---+
 *	                           +--> rankings   heaviest | climbers | lasting
 *	touch   touched  ---fold---+           of all  10   |   10     |
 *	                                  not settled  10   |   10     |   10
 *	end     rankings of all --> top lists, similarity --> which list
 *	        its ranking of those not settled --+
 *	        the lasting -----------------------+--> forecasts
 *
 * Only versions that are in the hit list or were touched are looked at. So the
 * cost of a generation follows what is active, not what is loaded.
 *
 * There are two kinds of top ten. The true one says how the program behaves and
 * goes to the top lists and to the similarity. The ten best that are not
 * settled may be forecast: if settled versions filled the top ten, number
 * eleven would never be built.
 *
 * The lasting are the versions with the most samples ever. They are forecast in
 * any phase. A flat profile needs them: of a hundred methods with a percent
 * each none is heavy for a generation's few samples, and none climbs, for as
 * long as the program runs.
 *
 * The forecasts come from the climbers while the similarity is below the option
 * and while there is no past to compare with; otherwise from the heaviest. A
 * generation without a sample in a living version, or with an empty hit list,
 * leaves the choice as it was and adds no top ten of the heaviest.
 *
 * The candidates are, for each list by itself, its true top ten and its ten not
 * settled, a version in both counted once; and the lasting that are not in the
 * list that the forecasts come from. At the end,
 *
 *	candidates == n_forecasts + dead + settled + not_chosen
 *
 * Pure: no clock, no thread, no instance. The words of versions may change
 * while it runs (weight.h), so end() looks again at settled and dead.
 *
 * Thread: one at a time, the struct's owner; in a running instance PRE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "options/opts.h"
#include "predictor/forecast.h"
#include "predictor/hitlist.h"
#include "predictor/rank.h"
#include "predictor/top_lists.h"

/* The results are of the latest generation; begin() clears them. */
struct cof_generation {
	/* Lasts. */
	struct cof_hitlist   hits;
	struct cof_top_lists heavy_past, climb_past;
	enum cof_list        list;	/* that the forecasts come from */

	/* Rankings. Their versions are valid until the end of PRE's turn. */
	uint64_t             generation;
	struct cof_rank      heavy, climb;		/* of all */
	struct cof_rank      heavy_open, climb_open;	/* not settled */
	struct cof_rank      lasting;			/* not settled */
	struct cof_rank      most;	/* samples now, of all: for phase.h */

	/* Results. */
	struct cof_forecast  forecast[2 * COF_TOP];
	uint32_t             n_forecasts;
	uint64_t             samples;	/* of living versions */
	uint64_t             weighed;	/* weights computed */
	uint64_t             candidates, dead, settled, not_chosen;
	uint32_t             similarity; /* permille, if `compared` */
	bool                 compared;	/* there was a past to compare with */
	bool                 phase;	/* one began: the first, or a change */
};

void cof_generation_init(struct cof_generation *gen);
void cof_generation_free(struct cof_generation *gen);

/* Start generation number `generation`, the first is 1: fold the hit list. */
void cof_generation_begin(struct cof_generation *gen, uint64_t generation,
			  const struct cof_opts *opts);

/*
 * Fold n touched versions. May be called any number of times. A version may
 * come more than once and may be in the hit list: its samples count once.
 */
void cof_generation_touch(struct cof_generation *gen,
			  struct cof_version *const *touched, uint32_t n,
			  const struct cof_opts *opts);

/* Pick the forecasts and fill in the results. */
void cof_generation_end(struct cof_generation *gen,
			const struct cof_opts *opts);
