/*
 * picker.h - which forecasts become builds
 *
 *	forecast --> current? busy? ignored? --> cost model --> build
 *	                |                            |          or instrument
 *	                +---------- drop, counted ---+--> mark (optimizer/facts/backoff.h)
 *
 * A version carries COF_WORD_SETTLED while its method is being built, counts or
 * is marked, and once it has the highest plan, so that PRE leaves it out. The
 * highest plan is PROFILE where profiles are wanted (modes full and auto, with
 * a host that can); it stays settled until another phase of the program lets it
 * be instrumented again.
 *
 * In mode pgo there are no forecasts: what the host has just compiled is picked
 * as it comes, once, whatever it costs, if the host expects a gain at all.
 *
 * With option stress the model and the marks are left out: whatever is forecast
 * is built, with a plan at random, over and over. Nothing is ever SETTLED then.
 *
 * Thread: P/O, for every function here but cof_picker_free().
 */
#ifndef COF_OPTIMIZER_POLICY_PICKER_H
#define COF_OPTIMIZER_POLICY_PICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"
#include "measure/cost_model.h"
#include "optimizer/facts/backoff.h"
#include "optimizer/facts/machine_load.h"
#include "optimizer/instrumented/profile.h"
#include "optimizer/build/queue.h"
#include "predictor/forecast.h"

struct cof;
struct cof_opts;

/* The rates of plan NONE are those of instrumented versions. */
struct cof_picker {
	struct cof_cost_model_rates   rates;
	struct cof_machine_load    load;	/* P/O updates it */
	double             cost_weight;	/* its weight, by option cost_pct */
	struct cof_backoffs ignored;
	struct cof_profiles profiles;
	uint64_t           phase, generation;	/* as of the last look at them, */
	uint32_t           was_in;	/* and which phase that was; reprofile.h */
	uint32_t           units;	/* of several methods, so far */
	uint64_t           typical_ns;	/* CPU time of the program, if it is as in
					 * earlier runs; 0: not known */
	uint64_t           random;	/* stress: state of splitmix64 */
	uint64_t           picked;	/* builds so far, for option limit */
};

void cof_picker_init(struct cof_picker *picker, const struct cof_opts *opts);
void cof_picker_free(struct cof_picker *picker);

/*
 * Counts one taken. Returns a build to queue, now the caller's, its method
 * marked as building; or NULL, and counts one drop.
 */
struct cof_build *cof_picker_look(struct cof *cof, struct cof_picker *picker,
				  const struct cof_forecast *forecast);

/*
 * The same for a method that the host has just compiled; mode pgo. Counts one
 * fresh.
 */
struct cof_build *cof_picker_fresh(struct cof *cof, struct cof_picker *picker,
				   struct cof_method *method);

/*
 * Pick a method's current version for plan PROFILE: one that counts comes first.
 * Who calls has counted it. NULL: no memory, counted as a drop.
 */
struct cof_build *cof_picker_count(struct cof *cof, struct cof_picker *picker,
				   struct cof_version *version,
				   const struct cof_cost_choice *choice);

/*
 * The build has come to an end, whichever: its method may be picked again.
 * Returns the version it was to replace, or NULL if that is not current now.
 */
struct cof_version *cof_picker_ended(struct cof_picker *picker,
				     const struct cof_build *build);

/* Leave the method alone for a while. */
void cof_picker_mark(struct cof *cof, struct cof_picker *picker,
		     struct cof_method *method, enum cof_backoff reason);

/* Take off the marks that have expired. */
void cof_picker_expire(struct cof *cof, struct cof_picker *picker);

/* For who picks by himself: why nothing can be built now, to be counted, or NULL. */
cof_count *cof_picker_hindrance(struct cof *cof,
				const struct cof_picker *picker);

/* Pick `version` as chosen. NULL: no memory, counted as a drop. */
struct cof_build *cof_picker_pick(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *version,
				  const struct cof_cost_choice *choice);

/* What the method was measured to gain with `plan` in an earlier run, permille; 0:
 * it was not, or with another plan. */
struct cof_history_known;
uint32_t cof_picker_proven(const struct cof_history_known *known,
			   enum cof_plan plan);

/* The profile of `version` to be is here: it need not count, and may join a unit.
 * NULL, always. */
struct cof_build *cof_picker_full(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *version,
				  const struct cof_history_known *k,
				  const struct cof_cost_choice *choice);

#endif /* COF_OPTIMIZER_POLICY_PICKER_H */
