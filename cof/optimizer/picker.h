/*
 * picker.h - which forecasts become builds
 *
 *	forecast --> current? busy? ignored? --> cost model --> build
 *	                |                            |
 *	                +---------- drop, counted ---+--> mark (ignore.h)
 *
 * A version carries COF_WORD_SETTLED while its method is being built or marked,
 * and for good once it has the highest plan, so that PRE leaves it out.
 *
 * With option stress the model and the marks are left out: whatever is forecast
 * is built, with a plan at random, over and over. Nothing is ever SETTLED then.
 *
 * Thread: P/O, for every function here but cof_picker_free().
 */
#ifndef COF_OPTIMIZER_PICKER_H
#define COF_OPTIMIZER_PICKER_H

#include <stdint.h>

#include "optimizer/choose.h"
#include "optimizer/ignore.h"
#include "optimizer/load.h"
#include "optimizer/queue.h"
#include "predictor/forecast.h"

struct cof;
struct cof_opts;

struct cof_picker {
	struct cof_rates   rates;
	struct cof_load    load;	/* its weight is used; P/O updates it */
	struct cof_ignored ignored;
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
 * The build has come to an end, whichever: its method may be picked again.
 * Returns the version it was to replace, or NULL if that is not current now.
 */
struct cof_version *cof_picker_ended(struct cof_picker *picker,
				     const struct cof_build *build);

/* Leave the method alone for a while. */
void cof_picker_mark(struct cof *cof, struct cof_picker *picker,
		     struct cof_method *method, enum cof_ignore reason);

/* Take off the marks that have expired. */
void cof_picker_expire(struct cof *cof, struct cof_picker *picker);

/* How long `version` and those before it ran, at its speed. By samples. */
double cof_picker_past_ns(const struct cof *cof,
			  const struct cof_version *version);

#endif /* COF_OPTIMIZER_PICKER_H */
