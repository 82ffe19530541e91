/*
 * generation.h - one generation, from touched versions to forecasts
 *
 *	begin   hit list ---fold---+
 *	                           +--> rankings     heaviest | climbers | lasting
 *	touch   touched  ---fold---+           of all    10   |   10     |
 *	                                  not settled    10   |   10     |   10
 *	end     rankings of all --> histories, similarity --> which list
 *	        its ranking of those not settled --+
 *	        the lasting -----------------------+--> forecasts
 *
 * Only what is in the hit list or was touched is looked at: the cost of a
 * generation follows what is active, not what is loaded.
 *
 * Two kinds of top ten, since a top ten that has its best versions would starve
 * number eleven: the true one says how the program behaves and goes to history
 * and similarity; the ten best that are not settled are what may be forecast.
 *
 * The lasting are those with the most samples ever, forecast whatever the phase.
 * A flat profile needs them: of a hundred methods with a percent each none is
 * heavy for a generation's few samples, and none climbs, for as long as the
 * program runs.
 *
 * Which list: the climbers while the similarity is below the option, and as
 * long as there is no past to compare with; else the heaviest. A generation in
 * which no living version was sampled, or that leaves the hit list empty, is no
 * ground to judge on: the list stays what it was, and history is not told.
 *
 * What is judged, each list by itself: its true top ten and its ten not
 * settled, a version that is in both of these once; and the lasting that are
 * not in the list the forecasts come from. Of the judged,
 *
 *	judged == n forecasts + dead + settled + not_chosen
 *
 * Pure: no clock, no thread, no instance. The words of versions may change
 * while it runs (weight.h), which is why settled and dead are looked at again
 * in end.
 *
 * Thread: whoever owns the struct; in a running instance PRE.
 */
#ifndef COF_PREDICTOR_GENERATION_H
#define COF_PREDICTOR_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/forecast.h"
#include "predictor/top_lists.h"
#include "predictor/hitlist.h"
#include "options/opts.h"
#include "predictor/rank.h"

/* Results are those of the latest turn; cof_generation_begin() clears them. */
struct cof_generation {
	/* Lasts. */
	struct cof_hitlist   hits;
	struct cof_top_lists   heavy_past, climb_past;
	enum cof_list        list;	/* what forecasts are picked from */

	/* Rankings. Versions in them are good until the end of PRE's turn. */
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
	uint64_t             judged, dead, settled, not_chosen;
	uint32_t             similarity; /* permille, if `compared` */
	bool                 compared;	/* there was a past to compare with */
	bool                 phase;	/* one began: the first, or a change */
};

void cof_generation_init(struct cof_generation *turn);
void cof_generation_free(struct cof_generation *turn);

/* Start `generation`, the first is 1: fold the hit list. */
void cof_generation_begin(struct cof_generation *turn, uint64_t generation,
		    const struct cof_opts *opts);

/*
 * Fold n touched versions; any number of calls. A version may come more often
 * than once, and may be in the hit list: what was folded counts once.
 */
void cof_generation_touch(struct cof_generation *turn, struct cof_version *const *touched,
		    uint32_t n, const struct cof_opts *opts);

/* Judge, and fill in the results. */
void cof_generation_end(struct cof_generation *turn, const struct cof_opts *opts);

#endif /* COF_PREDICTOR_GENERATION_H */
