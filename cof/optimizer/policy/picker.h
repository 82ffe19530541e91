/*
 * picker.h - which forecasts become builds
 *
 *	forecast --> current? busy? backed off? --> cost model --> build
 *	               |                               |       or instrument
 *	               +--------- drop, counted -------+--> mark (backoff.h)
 *
 * A version has the flag COF_WORD_SETTLED while its method is being built,
 * counts or is marked, and once it has the highest plan, so that PRE leaves it
 * out. The highest plan is PROFILE where profiles are wanted (modes full and
 * auto, with a host that can). Such a version stays settled until another phase
 * of the program lets it be instrumented again.
 *
 * In mode pgo there are no forecasts. P/O picks each method that the host has
 * just compiled, once, whatever it costs, if the host expects a gain at all.
 *
 * With option stress P/O leaves out the model and the marks: it builds whatever
 * is forecast, with a plan at random, over and over. Nothing is SETTLED then.
 *
 * Thread: P/O, for every function here but cof_picker_free().
 */
#pragma once

#include <stdint.h>

#include "base/flow.h"
#include "measure/cost_model.h"
#include "optimizer/build/queue.h"
#include "optimizer/facts/backoff.h"
#include "optimizer/facts/machine_load.h"
#include "optimizer/instrumented/profile.h"
#include "predictor/forecast.h"

struct cof;
struct cof_opts;

/* The rates of plan NONE are those of instrumented versions. */
struct cof_picker {
	struct cof_cost_model_rates rates;
	struct cof_machine_load load;	/* P/O updates it */
	double             cost_weight;	/* load.weight, by option cost_pct */
	struct cof_backoffs backed_off;
	struct cof_profiles profiles;
	uint64_t           phase, generation;	/* at reprofile.h's last turn */
	uint32_t           was_in;	/* the phase's number then */
	uint32_t           units;	/* of several methods, so far */
	uint64_t           typical_ns;	/* the program's CPU time in earlier
					 * runs; 0: not known */
	uint64_t           random;	/* stress: state of splitmix64 */
	uint64_t           picked;	/* builds so far; option limit */
};

void cof_picker_init(struct cof_picker *picker, const struct cof_opts *opts);
void cof_picker_free(struct cof_picker *picker);

/*
 * Counts one taken. Returns a build to be queued, now the caller's, its method
 * marked as building; or NULL, and counts one drop.
 */
struct cof_build *cof_picker_look(struct cof *cof, struct cof_picker *picker,
				  const struct cof_forecast *forecast);

/*
 * The same for a method that the host has just compiled; mode pgo. Counts one
 * just_compiled.
 */
struct cof_build *cof_picker_just_compiled(struct cof *cof,
					   struct cof_picker *picker,
					   struct cof_method *method);

/*
 * Picks the method of its current version `version` for plan PROFILE, by a
 * build that instruments it first. The caller has counted the pick. NULL: no
 * memory, counted as a drop.
 */
struct cof_build *cof_picker_count(struct cof *cof, struct cof_picker *picker,
				   struct cof_version *version,
				   const struct cof_cost_choice *choice);

/*
 * The build has ended, with success or without: its method may be picked again.
 * Returns the version it was to replace, or NULL if that is not current now.
 */
struct cof_version *cof_picker_ended(struct cof_picker *picker,
				     const struct cof_build *build);

/* Leave the method alone for a while. */
void cof_picker_mark(struct cof *cof, struct cof_picker *picker,
		     struct cof_method *method, enum cof_backoff reason);

/* Takes off the marks that have expired. */
void cof_picker_expire(struct cof *cof, struct cof_picker *picker);

/* The expected CPU time of the build that lets a method count, before the one
 * that was chosen. */
double cof_picker_counting_ns(const struct cof_picker *picker,
			      const struct cof_cost_choice *choice);

/* The drop to be counted if nothing can be built now, or NULL. */
cof_count *cof_picker_hindrance(struct cof *cof,
				const struct cof_picker *picker);

/* Picks `version` as chosen. NULL: no memory, counted as a drop. */
struct cof_build *cof_picker_pick(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *version,
				  const struct cof_cost_choice *choice);

struct cof_history_known;

/* The speed-up that an earlier run measured of the method with `plan`,
 * permille; 0: none, or with another plan. */
uint32_t cof_picker_proven(const struct cof_history_known *known,
			   enum cof_plan plan);

/* The profile is at hand: the method of `version` becomes FULL without being
 * instrumented, and may join a unit. Always returns NULL. */
struct cof_build *cof_picker_full(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *version,
				  const struct cof_history_known *k,
				  const struct cof_cost_choice *choice);
